import { readAddress } from "#app/config/mail-addresses.ts";
import { count } from "#app/counts.ts";
import { formatDate } from "#app/dates.ts";
import type { StateKind } from "#app/domain/access/subscription-state.ts";
import type { EndedRenewal } from "#app/domain/billing/cancellation/end-renewals.server.ts";
import type { LinkedSale } from "#app/domain/billing/sync/link-sale.server.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import { readOptions, runCommand, UsageError } from "./command/run-command.ts";
import { withSite } from "./command/with-site.ts";

const TEXT = { type: "string" } as const;
const ACTOR = { id: null, name: "billing:providers", role: "owner" } as const;

const STATES: Record<StateKind, string> = {
  running: "renewing",
  renewing: "being renewed",
  unrenewed: "due for renewal",
  uncollected: "with paused payments",
  cardless: "trials without a card",
  ending: "canceled",
  prepaid: "paid beforehand",
  grace: "past due, with days of grace",
  overdue: "past due",
  unbegun: "with an incomplete first payment",
  paused: "paused",
  unknown: "unknown to the provider",
  unknownEnded: "unknown to the provider, and over",
  ended: "over",
  expired: "never begun",
};

const REFUSALS = {
  sells: "is the one that sells. Set BILLING_PROVIDER to another one first, and restart the site.",
  notSetUp: "is not set up, so this site cannot end anything there: end the renewals in its account.",
};

const LINK_REFUSALS: Record<Extract<LinkedSale, { refused: unknown }>["refused"], string> = {
  noProvider: "The id has to begin with the name of a provider whose sales can be linked, and a colon.",
  known: "The event about this sale has come: nothing has to be linked.",
  noPurchase: "Nobody with this address has a purchase at this provider that is not completed.",
  unknownToProvider: "The provider does not know this subscription, so nothing was linked.",
};

const takes =
  "[-- --end-renewals <provider> [--dry-run] | --link <subscription> --to <email address> [--dry-run]]";
const does = `Lists the payment providers with their subscriptions.
--end-renewals ends the renewals at a provider that sells no more. Run it again until nothing waits.
--link gives a subscription whose sale no event has told to the member who bought it.
docs/payments.md explains both.`;

await runCommand({ name: "billing:providers", takes, does }, async () => {
  const { values, positionals } = readOptions({
    "end-renewals": TEXT,
    link: TEXT,
    to: TEXT,
    "dry-run": { type: "boolean" },
  });
  const { "end-renewals": provider, link, to, "dry-run": isDryRun = false } = values;
  if (positionals.length > 0 || (link === undefined) !== (to === undefined)) throw new UsageError();
  if (provider !== undefined && link === undefined)
    return withSite({ isDryRun }, () => endAll(provider, isDryRun));
  if (link !== undefined && to !== undefined && provider === undefined) {
    const email = readEmail(to);
    return withSite({ isDryRun }, () => linkOne(link, email, isDryRun));
  }
  if (Object.keys(values).length > 0) throw new UsageError();
  return withSite({}, listAll);
});

function readEmail(text: string): string {
  const email = readAddress(text);
  if (email === null) throw new UsageError("--to must be one complete email address.");
  return email;
}

async function listAll(): Promise<number> {
  const { listProviders } = await import("#app/domain/billing/subscriptions/provider-overview.server.ts");
  const all = await listProviders();
  for (const { name, isSetUp, isSelling, subscriptions } of all) {
    console.log(`${name}  ${isSetUp ? "set up" : "not set up"}, ${isSelling ? "sells" : "does not sell"}`);
    for (const { kind, isMoved, amount, within7, within30, last } of subscriptions) {
      const days = `${within7} within 7 days, ${within30 - within7} within 30, ${amount - within30} later`;
      const state = isMoved ? "not renewed, by this site" : STATES[kind];
      console.log(`  ${amount}  ${state}; end of the period: ${days}; the last ${formatDate(last)}`);
    }
    if (subscriptions.length === 0) console.log("  no subscriptions");
    if (!isSetUp)
      console.log("  This site cannot end them: end those that go on in the account that sold them.");
  }
  if (all.length === 0) console.log("No payment provider is set up: see docs/payments.md.");
  return 0;
}

async function endAll(provider: string, isDryRun: boolean): Promise<number> {
  const { endRenewals, renewalsRefusal } = await import(
    "#app/domain/billing/cancellation/end-renewals.server.ts"
  );
  const { allowLongStatements } = await import("#db/client.server.ts");
  const refusal = renewalsRefusal(provider);
  if (refusal !== null) {
    console.error(`${provider} ${REFUSALS[refusal]}`);
    return 1;
  }
  allowLongStatements();
  const counts = { ended: 0, waiting: 0, unknown: 0, failed: 0 };
  for await (const one of endRenewals(provider, { isDryRun })) {
    if (one.failed !== null) console.error(`${one.id}  not ended: ${one.failed}`);
    else console.log(`${one.id}  ${wordsOf(one, isDryRun)}`);
    if (one.failed !== null) counts.failed += 1;
    else if (one.plan === "waits") counts.waiting += 1;
    else if (one.plan === "unknown") counts.unknown += 1;
    else if (one.plan === "atPeriodEnd" || one.plan === "now") counts.ended += 1;
  }
  if (!isDryRun && counts.ended > 0)
    await note("renewals.ended", {
      ...{ subjectKind: "provider", subjectId: provider, subjectName: provider },
      after: { ended: counts.ended },
    });
  console.log(summary(counts, isDryRun));
  return counts.failed > 0 ? 1 : 0;
}

function wordsOf({ plan, on }: EndedRenewal, isDryRun: boolean): string {
  switch (plan) {
    case "atPeriodEnd":
      return `${isDryRun ? "would end" : "ends"} on ${formatDate(on)}`;
    case "now":
      return `${isDryRun ? "would end" : "ended"} at once: nothing is paid, so nothing is lost`;
    case "waits":
      return "waits: its member is paying, or keeps access for some days after a failed payment";
    case "canceled":
      return `was canceled or ended before; ends on ${formatDate(on)}`;
    case "prepaid":
      return `is paid beforehand and does not renew; ends on ${formatDate(on)}`;
    case "unknown":
      return "is unknown to the provider: end it in the account that sold it";
    case "over":
      return "is over";
  }
}

function summary(
  { ended, waiting, unknown, failed }: Record<"ended" | "waiting" | "unknown" | "failed", number>,
  isDryRun: boolean,
): string {
  const done = `${count(ended, "renewal")} ${isDryRun ? "would be ended; nothing was changed" : "ended"}.`;
  const again = waiting > 0 ? ` ${waiting} waiting: run it again in a few days.` : "";
  const theirs = unknown > 0 ? ` ${unknown} unknown to the provider.` : "";
  return `${done}${again}${theirs}${failed > 0 ? ` ${failed} failed: run it again.` : ""}`;
}

async function linkOne(subscriptionId: string, email: string, isDryRun: boolean): Promise<number> {
  const { linkSale } = await import("#app/domain/billing/sync/link-sale.server.ts");
  const linked = await linkSale(subscriptionId, email, { isDryRun });
  if ("refused" in linked) {
    console.error(LINK_REFUSALS[linked.refused]);
    return 1;
  }
  const { userId, plan, orderedAt, outcome } = linked;
  if (!isDryRun)
    await note("sale.linked", { subjectKind: "user", subjectId: userId, subjectName: subscriptionId });
  const purchase = `user ${userId}, purchase of ${formatDate(orderedAt)}: ${plan}`;
  console.log(`${isDryRun ? "would be linked" : "linked"}  ${subscriptionId}  ${purchase}`);
  if (outcome === null || outcome === "written") return 0;
  console.error(
    `The subscription is not open to the member: ${outcome}. docs/payments.md explains the word.`,
  );
  return 1;
}

async function note(
  action: AuditAction,
  about: Pick<AuditEntry, "subjectKind" | "subjectId" | "subjectName" | "after">,
) {
  const { recordAudit } = await import("#app/domain/staff/audit.server.ts");
  const { db } = await import("#db/client.server.ts");
  await db.transaction((tx) => recordAudit(tx, { actor: ACTOR, action, ...about }));
}

type AuditEntry = Parameters<typeof import("#app/domain/staff/audit.server.ts").recordAudit>[1];
