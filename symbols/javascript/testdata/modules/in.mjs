import fs from 'node:fs';

export const config = {
  load() {},
  nested: { deep() {} },
};
export function f() {}
export { f as g, fs };
export default class {
  m() {}
}
