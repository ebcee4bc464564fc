export function latestHttpVersion() {}
export class HTTPServer {}
