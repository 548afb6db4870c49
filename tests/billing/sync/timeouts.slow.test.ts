import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestChange } from "#app/domain/billing/cancellation/cancel.server.ts";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { isProviderUnreachable } from "#app/domain/billing/providers/providers.server.ts";
import { cancelLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { refreshStaleCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";

/** The longest time that a person may wait, plus the delay of a busy computer. */
const MAX_MS = 10_000 + 5_000;
const HANGS_MS = 120_000;

const shop = await startPaidSite();
const { control } = shop;
const people: { payer: Payer; id: string }[] = [];
afterAll(() => shop.stop());

beforeAll(async () => {
  for (let count = 0; count < 8; count += 1) {
    const payer = await shop.createPayer();
    people.push({ payer, id: await shop.buy(payer) });
  }
  await shop.settled();
}, 60_000);

function personAt(index: number) {
  const person = people[index];
  if (person === undefined) throw new Error("Somebody is missing");
  return person;
}

async function ask(path: string, { cookie }: Payer, form?: Record<string, string>) {
  const begun = Date.now();
  const posted = { method: "POST", body: new URLSearchParams(form) };
  const headers = { cookie, origin: shop.site.origin };
  const answer = await shop.site.fetch(path, { headers, ...(form ? posted : {}) });
  return { status: answer.status, html: await answer.text(), ms: Date.now() - begun };
}

const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);

test("a response lost after the provider acted is found by a retry", async () => {
  const { id, payer } = personAt(0);
  const own = { id, userId: payer.id };
  const loseAnswer = (pathIncludes: string) =>
    control.failNext({ status: 500, afterEffect: true, method: "POST", pathIncludes, times: 3 });
  loseAnswer(`/v1/subscriptions/${id}`);
  expect(await requestChange(own, "cancel")).toBe("done");
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: true });
  loseAnswer(`/v1/subscriptions/${id}`);
  expect(await requestChange(own, "keep")).toBe("done");
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: false });

  // A failed change is not reported as done.
  control.failNext({ status: 500, method: "POST", pathIncludes: `/v1/subscriptions/${id}`, times: 3 });
  expect(await requestChange(own, "cancel")).toBe("recorded");
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: false });
});

test("while the provider hangs every page and button is answered in time, with a message, and nothing is lost", async () => {
  const [canceling, keeping, resuming, cancellation, byMail, paying, returning] = [
    personAt(0),
    personAt(2),
    personAt(3),
    personAt(4),
    personAt(5),
    personAt(6),
    await shop.createPayer(),
  ];
  await startCheckout(await purchaseOf(returning, shop.monthly.id));
  const [checkout] = await db.select().from(checkouts).where(eq(checkouts.userId, returning.id));
  const paused = { status: "paused" as const };
  await db.update(subscriptions).set(paused).where(eq(subscriptions.id, resuming.id));
  await db.update(subscriptions).set({ cancelAtPeriodEnd: true }).where(eq(subscriptions.id, keeping.id));
  await db.update(customers).set({ reconciledAt: null });
  control.failNext({ hangMs: HANGS_MS, times: 10_000 });

  const link = new URL(cancelLink({ id: byMail.id, userId: byMail.payer.id }));
  const own = "/user/account/subscription";
  const stale = refreshStaleCustomer(personAt(7).payer.id).catch((error) => isProviderUnreachable(error));
  const answers = await Promise.all([
    ask(own, canceling.payer, { intent: "cancel" }),
    ask(own, keeping.payer, { intent: "keep" }),
    ask(own, resuming.payer, { intent: "resume" }),
    ask("/user/account", cancellation.payer, { intent: "delete", confirm: "yes" }),
    ask(link.pathname + link.search, byMail.payer, { intent: "cancel", confirm: "yes" }),
    ask("/subscribe/portal", paying.payer, {}),
    ask(`/subscribe/return?checkout=${checkout?.id}`, returning),
  ]);
  const words = [
    "",
    "is still canceled. Please try again",
    "is still paused. Please try again",
    "Nothing was deleted. Please try again",
    "",
    "Nothing has changed, and you were not charged. Please try",
    "Nothing is lost",
  ];
  expect(answers.map(({ status }) => status)).toEqual([303, 503, 503, 503, 303, 503, 200]);
  for (const [index, { html }] of answers.entries()) expect(html).toContain(words[index]);
  for (const recorded of [
    await ask(own, canceling.payer),
    await ask(link.pathname + link.search, byMail.payer),
  ]) {
    expect(recorded.html).toContain("Your cancellation is recorded");
  }
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(MAX_MS);
  expect(await db.$count(users, eq(users.id, cancellation.payer.id))).toBe(1);
  expect(await stale).toBe(true);
}, 120_000);
