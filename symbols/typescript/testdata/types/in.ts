export type Shape =
  | { kind: 'circle'; r: number }
  | { kind: 'square'; a: number };

type Unwrap<T> = T extends Promise<infer U>
  ? U
  : T

type Mapped<T> = {
  readonly [K in keyof T]?: T[K];
};

export type Path = `/${string}/\`x\``

/** A greeting. */
export interface Greeting extends Base<{ a: 1 }> {
  text: string;
  readonly lang?: 'en' | 'de',
  'quoted': number
  /** Says it. */
  say(loud: boolean): void
  get length(): number
  (): string
  new (): Greeting
  [k: string]: unknown
}

interface Greeting {
  more: boolean;
}

export enum Color {
  Red,
  Green = 'green', // like grass
  'Blue' = 1 << 2,
}

declare const enum Bits { A = 1 }
