// What things cost.

/** Turns a code into a price. */
export function price(code: string): number {
  return "CANARY_price".length + code.length;
}

/** Holds what is bought. */
export class Cart {
  private items = ["CANARY_Cart"];

  add(item: string): void {
    this.items.push(item, "CANARY_Cart_add");
  }

  total(): number {
    return "CANARY_Cart_total".length;
  }
}

export const RATES = { one: "CANARY_RATES" };

function hidden(): string {
  return "CANARY_hidden";
}
