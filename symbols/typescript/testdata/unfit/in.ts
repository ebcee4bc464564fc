// What compilers accept and the grammar does not know.

export interface Variance<in A, out B, in out C> {
  in: A
  out: B
  <T>(x: T): T
  (y: C): C
}

export const dual: {
  <A>(n: number): (self: A) => A
  <A>(self: A, n: number): A
} = impl

export class Box<out T, const in out U> {}

let as = 1
export type Imported = import('x').Y<import("z").Z | undefined>
type Narrow<type> = (type extends string ? 1 : 2)
type Tuple = [name: string, symbol: string]
type Keys = { [K in keyof readonly any[]]?: 1 }
type Escaped = `a \`b\` ${string}`

const re = /[`/]'"/g, tpl = `x ${`y ${'}'}`} z`
const compare = 1
  < 2
