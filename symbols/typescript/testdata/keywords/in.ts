export class Names {
  using(using: string): this;
  abstract(a: number): void {}
  accessor: number
  declare = 1
  static static() {}
  get() { return 1 }
  set(v: number) {}
  async() {}
  readonly readonly: 1 = 1
  accessor real = 1
  after() {}
}

export interface Words {
  type: string
  in: number
  instanceof(a: number): void
  new: string
  get: string
  function(): void
}

export type Labels = [new: string, import?: number, this: boolean]
export const of = 1, async = 2
let satisfies = 1
type satisfies = 1
