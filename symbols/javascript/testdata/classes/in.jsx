export class A extends (class {}) {
  static x = 1;
  #p = () => {};
  @deco y = 2
  get v() { return this.#p }
  static async *gen() {}
  static {}
  'use'() {}
}

export const App = () => (
  <div title="}">It's {"{"}</div>
)

export default App
