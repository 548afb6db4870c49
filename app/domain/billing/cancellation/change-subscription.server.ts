import { eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { ENDED_STATUSES, type SubscriptionStatus } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { mailAboutSubscription } from "../mails/lifecycle-mails.server.ts";
import { capabilitiesOf, DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import type { SubscriptionApi } from "../providers/contract/provider.ts";
import { oneAtATime } from "../providers/one-at-a-time.ts";
import { providerOf } from "../providers/providers.server.ts";
import { isUnreachable, PROVIDER_TIMEOUT_MS, unlessUnreachable, withTimeout } from "../providers/timeout.ts";
import { type CancellationState, cancellationState, canKeep } from "../rules/cancellation-state.ts";
import { findOwn, findPayPage, type OwnSubscription } from "../subscriptions/own-subscription.server.ts";
import { recordSubscriptionChange } from "../subscriptions/subscription-changes.server.ts";
import { refreshCustomer, refreshSubscription } from "../sync/reconcile.server.ts";
import { closeRequest } from "./cancellation-requests.server.ts";

/** "unreachable": nothing has changed. "recorded": it is sent again later. "unseen": done, but not read back. */
export type CancellationOutcome =
  | "done"
  | "over"
  | "unreachable"
  | "recorded"
  | "unseen"
  | "unknownToProvider";

type ChangeApi = Pick<SubscriptionApi, "endAtPeriodEnd" | "endNow" | "keep" | "resume">;

interface ChangeSteps {
  send(provider: ChangeApi, id: string, state: CancellationState): Promise<void>;
  isDone(state: CancellationState, status: SubscriptionStatus): boolean;
}

const CHANGES = {
  cancel: {
    send: (provider, id, { kind }) => (kind === "now" ? provider.endNow(id) : provider.endAtPeriodEnd(id)),
    isDone: ({ kind }) => kind === "ending" || kind === "over",
  },
  keep: {
    send: (provider, id) => provider.keep(id),
    isDone: ({ kind }) => kind === "atPeriodEnd",
  },
  resume: {
    send: (provider, id) => provider.resume(id),
    isDone: (_, status) => status === "active",
  },
  withdraw: {
    send: (provider, id) => provider.endNow(id),
    isDone: ({ kind }) => kind === "over",
  },
} satisfies Record<string, ChangeSteps>;
const CLOSING: CancellationOutcome[] = ["done", "unseen", "over"];
const MIN_TIMEOUT_MS = 1_000;

export async function changeSubscription(
  own: OwnSubscription,
  change: keyof typeof CHANGES,
  requestedAt: Date | null = null,
): Promise<CancellationOutcome> {
  const turn = oneAtATime(`${own.userId} ${own.id}`, change, async () => {
    const outcome = await changeNow(own, change);
    if (requestedAt && CLOSING.includes(outcome)) await closeRequest(own, requestedAt);
    return outcome;
  });
  return unlessUnreachable(withTimeout(turn), "unreachable");
}

export async function resumeSubscription(own: OwnSubscription) {
  const startedAt = performance.now();
  const outcome = await changeSubscription(own, "resume");
  if (outcome === "over" || outcome === "unknownToProvider") return { outcome, payUrl: null };
  const timeoutMs = Math.max(MIN_TIMEOUT_MS, PROVIDER_TIMEOUT_MS - (performance.now() - startedAt));
  const refresh = withTimeout(refreshCustomer(own.userId), timeoutMs);
  if (await isUnreachable(refresh)) return { outcome, payUrl: null };
  // An earlier attempt may have left an unpaid invoice, and the provider creates no second one.
  const { status, url } = await findPayPage(own.id);
  // The answer may be lost, or another request came first, so the current state decides.
  return status === "active" ? { outcome: "done" as const, payUrl: null } : { outcome, payUrl: url };
}

async function changeNow(own: OwnSubscription, change: keyof typeof CHANGES): Promise<CancellationOutcome> {
  const { send, isDone }: ChangeSteps = CHANGES[change];
  const stored = await findOwn(own);
  if (stored === null || ENDED_STATUSES.includes(stored.status)) return "over";
  // No page offers it; only a page from before, or a forged form, can ask.
  const canResume = capabilitiesOf(stored.provider).can.resume;
  if ((change === "keep" && !canKeep(stored)) || (change === "resume" && !canResume)) return "over";
  if (change === "cancel" && stored.isPrepaid) return "over";
  const provider = providerOf(stored.provider);
  if (provider === null) {
    const state = cancellationState(stored, stored.now);
    if (state.kind === "over") return "over";
    if (stored.provider !== DEMO_PROVIDER) return "unknownToProvider";
    await send(demoSubscriptionApi, own.id, state);
    return "done";
  }
  // Our row may be outdated, and it decides between ending now and at the end of the period.
  if (await isUnreachable(refreshSubscription(provider.name, own.id))) return "unreachable";
  const fresh = await findOwn(own);
  const state = fresh && cancellationState(fresh, fresh.now);
  if (state === null || state.kind === "over") return "over";
  if (state.kind === "unknownToProvider") return "unknownToProvider";
  const isSent = !(await isUnreachable(send(provider, own.id, state)));
  const isRead = !(await isUnreachable(refreshSubscription(provider.name, own.id)));
  if (isSent) return isRead ? "done" : "unseen";
  const after = isRead ? await findOwn(own) : null;
  return after && isDone(cancellationState(after, after.now), after.status) ? "done" : "unreachable";
}

const demoSubscriptionApi: ChangeApi = {
  endAtPeriodEnd: (id) => writeDemo(id, { cancelAtPeriodEnd: true, canceledAt: sql`now()` }),
  keep: (id) => writeDemo(id, { cancelAtPeriodEnd: false, canceledAt: null }),
  resume: (id) => writeDemo(id, { status: "active" }),
  endNow: (id) => writeDemo(id, { status: "canceled", canceledAt: sql`now()`, endedAt: sql`now()` }),
};

async function writeDemo(id: string, change: PgUpdateSetSource<typeof subscriptions>): Promise<void> {
  await db.transaction(async (tx) => {
    const row = eq(subscriptions.id, id);
    const [before] = await tx.select().from(subscriptions).where(row).for("update");
    if (before === undefined || before.status === "canceled") return;
    if (before.cancelAtPeriodEnd === change.cancelAtPeriodEnd) return;
    const [after] = await tx.update(subscriptions).set(change).where(row).returning();
    await recordSubscriptionChange(tx, id);
    if (after !== undefined) await mailAboutSubscription(tx, { before, after });
  });
}
