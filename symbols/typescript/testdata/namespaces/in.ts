export namespace Outer.Inner {
  export function f(): void {}
  function hidden() {}
  export namespace Deep {
    export const v = 1;
  }
  export class K {
    m() {}
  }
}

/** Merged with a function. */
export function Outer2() {}
export namespace Outer2 {
  export const version = '1';
}

declare module 'ext' {
  export interface Ext {
    a: string;
  }
  const implicit: number;
  global {
    var g: number;
  }
}

declare global {
  interface Window {
    mine: string;
  }
}
