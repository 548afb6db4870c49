import { count } from "#app/counts.ts";
import { readFlag, runCommand } from "./command/run-command.ts";
import { withSite } from "./command/with-site.ts";

const NO_OFFER = "No payment provider is set up that has products and prices to read: see docs/payments.md.";

await runCommand({ name: "billing:sync", takes: "[-- --dry-run]" }, async () => {
  const isDryRun = readFlag("--dry-run");
  return withSite({ isDryRun }, () => sync(isDryRun));
});

async function sync(isDryRun: boolean): Promise<number> {
  const { syncOffer } = await import("#app/domain/billing/sync/write-offer.server.ts");
  const { MAX_PLANS } = await import("#app/domain/billing/offers/plans.server.ts");
  const synced = await syncOffer({ isDryRun });
  if (synced === null) {
    console.error(NO_OFFER);
    return 1;
  }
  for (const { kind, id, what } of synced.differences) console.log(`${what}  ${kind} ${id}`);
  for (const { id, reason } of synced.unfit) console.log(`left out  price ${id}: ${reason}`);
  for (const id of synced.unoffered)
    console.log(
      `left out  price ${id}: only ${MAX_PLANS} prices are offered; shorter intervals and lower amounts come first`,
    );
  console.log(summary(synced.differences.length, isDryRun));
  return 0;
}

function summary(differences: number, isDryRun: boolean): string {
  if (differences === 0) return "Products and prices match the payment provider's.";
  const counted = count(differences, "difference");
  return isDryRun ? `${counted}; nothing was written.` : `${counted}, all updated.`;
}
