/// <reference types="node" />

/**
 * Types for the widget library.
 * @packageDocumentation
 */

declare function implicit(): void;
interface Options {
  a: string;
}
declare const VERSION: string;
declare class Widget {
  private hidden;
  draw(): void;
}
export as namespace WidgetLib;
