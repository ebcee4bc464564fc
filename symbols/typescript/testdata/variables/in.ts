/** The default. */
export const DEFAULT = 'x';

export const { a, b: { c = 1, ...rest }, d: e = 2 } = load();
export const [first, , third = 3] = list();

let x = 1, y = 2; const z = 3;

const
  alone = 1,
  /* why */ other = {
    a: 1,
  };

export const table = {
  /** Runs. */
  run() { return 1; },
  stop: function () {},
  arrow: () => ({ nested() {} }),
  get size() { return 0; },
  plain: 1,
} as const satisfies Table;

if (x) {
  var hoisted = 1;
} else {
  function conditional() {}
}

for (let i = 0; i < 1; i++) { const inLoop = i; }

(() => { const unseen = 1; })();
