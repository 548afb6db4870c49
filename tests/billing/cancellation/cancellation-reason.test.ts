import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { deleteAccount } from "#app/domain/account/delete-account.server.ts";
import { exportOwnData } from "#app/domain/account/export.server.ts";
import { COMMENT_LIMIT } from "#app/domain/billing/rules/cancellation-reasons.ts";
import { cancelLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { refreshSubscription } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { cancellationReasons } from "#db/schema/cancellations.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { subscriptionChanges, subscriptions } from "#db/schema/subscriptions.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { letDeletionFallDue } from "#tests/support/people.ts";

const shop = await startPaidSite();
shop.control.webhooks({ mode: "drop" });
afterAll(() => shop.stop());

const ACCOUNT = "/user/account/subscription";

/** Both ways to the page that confirms a cancellation. */
async function newSubscriber(isMailed: boolean) {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await refreshSubscription("stripe", id);
  const { pathname, search } = new URL(cancelLink({ id, userId: payer.id }));
  const page = isMailed ? pathname + search : `${ACCOUNT}?subscription=${id}`;
  const cookie = isMailed ? "" : payer.cookie;
  const headers = { cookie, origin: shop.site.origin };
  const look = async () => (await shop.site.fetch(page, { headers })).text();
  const post = (fields: Record<string, string>) =>
    shop.site.fetch(page, { method: "POST", headers, body: new URLSearchParams(fields) });
  const cancel = () => post({ intent: "cancel", confirm: "yes" });
  const answer = (fields: Record<string, string>) => post({ intent: "reason", ...fields });
  const stored = () =>
    db.select().from(cancellationReasons).where(eq(cancellationReasons.subscriptionId, id));
  return { payer, id, page, look, post, cancel, answer, stored };
}

const WAYS = [
  ["signed in", false],
  ["by the emailed link", true],
] as const;
const QUESTION = "Why did you cancel?";

test.each(WAYS)(
  "%s, nobody is asked for a reason before the cancellation, and nothing is stored",
  async (_, isMailed) => {
    const { look, answer, stored } = await newSubscriber(isMailed);
    const before = await look();
    expect(before).toContain("Cancel my subscription");
    expect(before).not.toMatch(/type="radio"|<textarea/);
    expect(before).not.toContain(QUESTION);
    await answer({ reason: "price" });
    expect(await stored()).toEqual([]);
  },
  60_000,
);

test.each(WAYS)(
  "%s, the page that confirms the cancellation offers to say why, and thanks",
  async (_, isMailed) => {
    const { id, page, look, cancel, answer, stored } = await newSubscriber(isMailed);
    const canceled = await cancel();
    expect([canceled.status, canceled.headers.get("location")]).toEqual([303, page]);
    const confirmed = await look();
    expect(confirmed).toContain("Your subscription is canceled");
    expect(confirmed.indexOf(QUESTION)).toBeGreaterThan(confirmed.indexOf("Your subscription is canceled"));
    expect(confirmed).not.toMatch(/<(input|textarea)[^>]*\srequired/);

    const sent = await answer({ reason: "pause", comment: " Back in\r\nspring " });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, page]);
    expect(await stored()).toMatchObject([
      { subscriptionId: id, reason: "pause", comment: "Back in\nspring" },
    ]);
    const after = await look();
    expect(after).toContain("We have saved your answer");
    expect(after).not.toContain(QUESTION);
    // Sending it again from an older tab changes nothing.
    expect((await answer({ reason: "other" })).status).toBe(303);
    expect(await stored()).toMatchObject([{ reason: "pause" }]);
  },
  60_000,
);

test.each(WAYS)(
  "%s, a refused answer keeps what was typed, and the cancellation stands",
  async (_, isMailed) => {
    const { id, cancel, answer, stored } = await newSubscriber(isMailed);
    await cancel();
    for (const [fields, problem] of [
      [{}, "Please choose a reason or write a few words."],
      [{ comment: "\u200b" }, "Please choose a reason or write a few words."],
      [{ reason: "none of them", comment: "kept" }, "Please choose a reason from the list, or none."],
      [
        { reason: "price", comment: "k".repeat(COMMENT_LIMIT + 1) },
        `Please use at most ${COMMENT_LIMIT} characters.`,
      ],
      [{ comment: "a\u0000b" }, "Please use letters, digits and symbols only."],
    ] as [{ reason?: string; comment?: string }, string][]) {
      const refused = await answer(fields as Record<string, string>);
      const html = await refused.text();
      expect([refused.status, html.includes(problem)], problem).toEqual([422, true]);
      expect(html).toContain("Your subscription is canceled");
      if (fields.comment?.startsWith("k")) expect(html).toContain(`>${fields.comment}</textarea>`);
      if (fields.reason === "price")
        expect(html).toMatch(
          /<input[^>]*value="price"[^>]*checked=""|<input[^>]*checked=""[^>]*value="price"/,
        );
    }
    expect(await stored()).toEqual([]);
    // As long as a browser lets it be, whose ends of lines are sent as two characters.
    const longest = `${"a\n".repeat(COMMENT_LIMIT / 2 - 1)}ab`;
    expect((await answer({ comment: longest.replaceAll("\n", "\r\n") })).status).toBe(303);
    expect(await stored()).toMatchObject([{ reason: null, comment: longest }]);
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
    expect(row).toMatchObject({ cancelAtPeriodEnd: true });
  },
  60_000,
);

test("the reason for a cancellation that was taken back is replaced by the reason for the next one", async () => {
  const { cancel, post, answer, look, stored } = await newSubscriber(false);
  await cancel();
  await answer({ reason: "price" });
  await post({ intent: "keep" });
  expect(await look()).not.toContain(QUESTION);
  await cancel();
  expect(await look()).toContain(QUESTION);
  await answer({ reason: "technical" });
  expect(await stored()).toMatchObject([{ reason: "technical", comment: "" }]);
}, 60_000);

test("nobody stores a reason about the subscription of somebody else", async () => {
  const { id, page, cancel, stored } = await newSubscriber(false);
  await cancel();
  const eve = await shop.createPayer();
  const body = new URLSearchParams({ intent: "reason", reason: "price" });
  const headers = { cookie: eve.cookie, origin: shop.site.origin };
  await shop.site.fetch(page, { method: "POST", headers, body });
  const wrong = `/cancel?subscription=${id}&signature=wrong`;
  expect((await shop.site.fetch(wrong, { method: "POST", headers, body })).status).toBe(422);
  expect(await stored()).toEqual([]);
}, 60_000);

test("the member's export holds the reason and the subscription's history, and a deletion removes both", async () => {
  const { payer, id, cancel, answer, stored } = await newSubscriber(false);
  await cancel();
  await answer({ reason: "notFound", comment: "More trains" });
  const data = await exportOwnData(payer.id);
  expect(data.cancellation_reasons).toMatchObject([{ reason: "notFound", comment: "More trains" }]);
  expect(data.subscription_changes).toMatchObject([
    { number: 1, status: "active", isCancelled: false },
    { number: 2, status: "active", isCancelled: true },
  ]);
  const other = await shop.createPayer();
  expect((await exportOwnData(other.id)).cancellation_reasons).toEqual([]);
  expect((await exportOwnData(other.id)).subscription_changes).toEqual([]);
  await db.update(checkouts).set({ status: "completed" }).where(eq(checkouts.userId, payer.id));
  await letDeletionFallDue(payer.id);
  expect(await deleteAccount(payer.id)).toBe("deleted");
  expect(await stored()).toEqual([]);
  expect(await db.$count(subscriptionChanges, eq(subscriptionChanges.subscriptionId, id))).toBe(0);
}, 60_000);
