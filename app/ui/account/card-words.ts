interface Card {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

const METHODS: Record<string, string> = {
  charge_automatically: "Charged automatically",
  send_invoice: "By invoice",
};

/** "Visa ending in 4242, valid to 04/2027" */
export function cardWords(card: Card | null): string {
  if (card === null) return "None";
  const month = String(card.expMonth).padStart(2, "0");
  const brand = card.brand.charAt(0).toUpperCase() + card.brand.slice(1);
  return `${brand} ending in ${card.last4}, valid to ${month}/${card.expYear}`;
}

/** What the provider calls it, in words where we know them. */
export function billingWords(method: string | null): string {
  return method === null ? "None" : (METHODS[method] ?? method);
}
