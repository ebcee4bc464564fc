import a, { type B } from './a';
import * as c from "c";
import './side-effect';
import d = require('d');

function local() {}
class Hidden {}
const one = 1, two = 2;

export { local, Hidden as Shown, two as default };
export { x, y as z } from './x';
export * from './star';
export * as ns from './ns';
export type * from './types';
export type { T } from './types';
export { a };
export import Q = c.Q;
export default one;
