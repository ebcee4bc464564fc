export const text = "}}}{{{ /* ";
export const pattern = /[{}/"'`]+/g;
export const half = 4 / 2, third = 3 / 1;
export const template = `{ ${ `}` } ${ (() => { return '}' })() } {`;

export function braces() {
  // }
  /* } */
  const s = '}', r = /}/, t = `}`;
  return { s, r, t };
}

export const after = 1
;[1, 2].forEach(String)
