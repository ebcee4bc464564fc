// Greeting helpers for the sample project.
export interface Greeting {
  text: string;
}

export function greet(name: string): Greeting {
  return { text: `Hello, ${name}` };
}

export const DEFAULT_GREETING = greet("world");
function internalOnly() {}
