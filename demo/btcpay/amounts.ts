const UNITS = 100_000_000;
const AMOUNT = /^\d{1,7}(\.\d{1,8})?$/;

/** Null unless it is a decimal above zero. */
export function parseAmount(text: string): number | null {
  return AMOUNT.test(text) && Number(text) > 0 ? Math.round(Number(text) * UNITS) : null;
}

export function sumOf(amounts: string[]): number {
  return amounts.reduce((sum, amount) => sum + (parseAmount(amount) ?? 0), 0);
}

/** With the decimals of another amount. */
export function written(units: number, like: string): string {
  return (units / UNITS).toFixed(like.split(".")[1]?.length ?? 0);
}
