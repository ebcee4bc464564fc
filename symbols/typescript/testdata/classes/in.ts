import { Component } from 'lib';

/**
 * A server.
 */
@Component({
  selector: 'x }',
})
@sealed
export abstract class Server<T extends { a: 1 }> extends Base<T> implements Handler
{
  static #count = 0;
  private readonly name: string
  protected port?: number = 80; // the default
  declare kind: 'server';
  handler = async (a: string) => {
    return a;
  };
  ['computed'] = 1;

  static {
    Server.#count = 1;
  }

  constructor(name: string);
  constructor(name: string, port: number);
  constructor(private n: string, p = 1) { super(); }

  /** Serves. */
  @log()
  // a lint directive
  @trace
  async *serve(): AsyncGenerator<number> {
    yield 1;
  }

  get addr(): string { return ''; }
  set addr(v: string) { this.name = v; }
  abstract stop(): void;
  #secret() {}
  'quoted-name'() {}
  [Symbol.iterator]() {}
  [key: string]: unknown;
}

export const Widget = class Named {
  draw() {}
};
