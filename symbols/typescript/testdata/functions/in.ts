/** Parses a string. */
export function parse(s: string): string;
/** Parses a number. */
export function parse(n: number): number;
// the implementation
export function parse(x: unknown): unknown {
  return x; // }
}

export async function* stream<T>(
  items: T[],
): AsyncGenerator<T> {
  yield* items;
}

function allman(a: number)
{
  if (a) { return 1 }
}

export const arrow =
  (a: number) =>
    a + 1;

const curried = (a: number) => (b: number) => {
  return a + b;
}

export const chain = [1, 2]
  .map((x) => x * 2)
  .filter(Boolean);

export default async function () {
  return 1;
}
