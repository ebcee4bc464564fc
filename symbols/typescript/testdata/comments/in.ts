/**
 * @license MIT
 * Copyright 2024 Somebody
 */
export const afterLicence = 1; /** trailing, not for the next */
export const afterTrailing = 2;

/** Documented, with a blank line below. */

export const apart = 3;

/** Not this one. */
/** This one. */
// eslint-disable-next-line
export const linted = 4;

// a plain comment is not attached
export const plain = 5; // its own trailing comment
/* about */ export const inline = 6; /* own */

export class C {
  a = 1; /** trailing */
  b = 2;
  /** doc */ c = 3;
}
/** dangling at the end */
