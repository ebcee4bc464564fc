const dep = require('./dep');

function a() {}
const c = 1;

module.exports = {
  a,
  b: c,
  dep,
  /** Does d. */
  d(x) {
    return x;
  },
  e: function () {},
  f: async () => {},
  get g() { return 1; },
  'quoted': 1,
  ...dep,
};
