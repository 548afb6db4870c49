/** The accepted currencies by their numbers. Yen are left out: how CCBill writes them is not documented. */
const CURRENCIES: Record<string, { name: string; sign: string; inDollars: number }> = {
  "840": { name: "USD", sign: "$", inDollars: 1 },
  "978": { name: "EUR", sign: "€", inDollars: 1.1 },
  "826": { name: "GBP", sign: "£", inDollars: 1.3 },
  "124": { name: "CAD", sign: "CA$", inDollars: 0.7 },
  "036": { name: "AUD", sign: "A$", inDollars: 0.65 },
};
const PRICE = /^\d{1,5}\.\d\d$/;

export function isCurrency(code: string): boolean {
  return Object.hasOwn(CURRENCIES, code);
}

export function currencyName(code: string): string {
  return CURRENCIES[code]?.name ?? "";
}

/** Null unless it has two decimals. */
export function centsOf(price: string): number | null {
  return PRICE.test(price) ? Number(price.replace(".", "")) : null;
}

/** "$9.99(USD)", as CCBill's descriptions have it. */
export function written(price: string, code: string): string {
  return `${CURRENCIES[code]?.sign}${price}(${currencyName(code)})`;
}

/** In dollars, and without the last zero: "18.0". */
export function accounted(price: string, code: string): string {
  const cents = Math.round((centsOf(price) ?? 0) * (CURRENCIES[code]?.inDollars ?? 1));
  return (cents / 100).toFixed(2).replace(/0$/, "");
}
