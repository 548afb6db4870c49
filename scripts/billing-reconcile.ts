import { count } from "#app/counts.ts";
import type { Reconciled } from "#app/domain/billing/sync/reconcile.server.ts";
import { readFlag, runCommand } from "./command/run-command.ts";
import { withSite } from "./command/with-site.ts";

const NO_PROVIDER =
  "No payment provider is set up, so there is nothing to compare with: see docs/payments.md.";

await runCommand({ name: "billing:reconcile", takes: "[-- --dry-run]" }, async () => {
  const isDryRun = readFlag("--dry-run");
  return withSite({ isDryRun }, () => reconcile(isDryRun));
});

async function reconcile(isDryRun: boolean): Promise<number> {
  const { reconcileAll } = await import("#app/domain/billing/sync/reconcile.server.ts");
  const { allowLongStatements } = await import("#db/client.server.ts");
  allowLongStatements();
  const reconciled = await reconcileAll({ isDryRun });
  if (reconciled === null) {
    console.error(NO_PROVIDER);
    return 1;
  }
  const { offer, people, failed, left } = reconciled;
  for (const { what, kind, id } of offer) console.log(`${what}  ${kind} ${id}`);
  for (const { userId, differences } of people) {
    for (const { what, kind, id } of differences) {
      console.log(`user ${userId}  ${what === "unknown" ? "unknown to the provider" : what}  ${kind} ${id}`);
    }
  }
  for (const { userId, why } of failed) console.error(`user ${userId}  not compared: ${why}`);
  console.log(summary(reconciled, isDryRun));
  return failed.length > 0 || left > 0 ? 1 : 0;
}

function summary(reconciled: Reconciled, isDryRun: boolean): string {
  const { offer, people, failed, compared, unknown, left } = reconciled;
  const found = people.reduce((sum, { differences }) => sum + differences.length, offer.length);
  const written = isDryRun ? "nothing was written" : "the site's data was updated";
  const rest =
    failed.length + left > 0 ? ` ${failed.length + left} could not be compared: run it again.` : "";
  const unknownToProvider =
    unknown > 0
      ? ` ${unknown} unknown to the provider: if they belong to another account of the provider, correct its key. docs/payments.md says what happens to them.`
      : "";
  return `${compared} compared, ${count(found, "difference")}${found > 0 ? `; ${written}` : ""}.${unknownToProvider}${rest}`;
}
