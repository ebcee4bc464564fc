// Tests of the greeting helpers.
import { greet } from "../src/greet";
export function greetTwice() { greet("a"); greet("b"); }
