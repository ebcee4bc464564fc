// Greeting helpers for the sample project.

export interface Greeting {
  name: string;
  words: string;
}

export type Salutation = "hello" | "good morning";

/**
 * Builds the greeting for one person.
 * An empty name greets the world.
 */
export function greet(name: string, salutation: Salutation = "hello"): Greeting {
  const who = name.trim();
  if (who === "") {
    return { name: "world", words: `${salutation}, world` };
  }
  return { name: who, words: `${salutation}, ${who}` };
}

export const DEFAULT_GREETING: Greeting = {
  name: "world",
  words: "hello, world",
};
// English alone: the sample has no translations.
