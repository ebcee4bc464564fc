export function good(): number {
  return 1;
}

export class Bad {
  method( { ;
}

export const later = 1;

export function inner() {
  const = ;
}

export interface Fine {
  a: string;
}
