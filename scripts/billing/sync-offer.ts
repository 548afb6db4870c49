import { mirrorOffer } from "#app/domain/billing/mirror-offer.server.ts";
import { closeDatabase } from "#db/client.server.ts";

const NO_PROVIDER =
  "No payment provider is set: give STRIPE_SECRET_KEY, or there is nothing to read products and prices from.";

/** Prints each difference in a line of its own. Returns the exit code. */
export async function syncOffer({ isDryRun }: { isDryRun: boolean }): Promise<number> {
  try {
    const mirrored = await mirrorOffer({ isDryRun });
    if (mirrored === null) {
      console.error(NO_PROVIDER);
      return 1;
    }
    for (const { kind, id, what } of mirrored.changes) console.log(`${what}  ${kind} ${id}`);
    for (const { id, reason } of mirrored.unfit) console.log(`left out  price ${id}: ${reason}`);
    console.log(summary(mirrored.changes.length, isDryRun));
    return 0;
  } finally {
    await closeDatabase();
  }
}

function summary(count: number, isDryRun: boolean): string {
  if (count === 0) return "Products and prices are what the payment provider offers.";
  const changes = `${count} ${count === 1 ? "difference" : "differences"}`;
  return isDryRun ? `${changes}; nothing was written.` : `${changes}, all written.`;
}
