import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { movedClock } from "#tests/support/fast-site.ts";

// Docs/payments.md advises the host to change prices by the provider's schedules, which forbid to cancel directly.
const shop = await startPaidSite({ env: movedClock("the payment provider") });
const { control, stripe } = shop;
afterAll(() => shop.stop());

const CANCELLATION = "/user/account/subscription";

async function newScheduled({ isEnding = false } = {}) {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  if (isEnding) await stripe.subscriptionSchedules.update(schedule.id, { end_behavior: "cancel" });
  await shop.settled();
  return { payer, id, scheduleId: schedule.id };
}

const press = ({ cookie }: Payer, path: string, form: Record<string, string>) =>
  shop.site.fetch(path, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { cookie, origin: shop.site.origin },
  });
const statusOf = async (scheduleId: string) =>
  (await stripe.subscriptionSchedules.retrieve(scheduleId)).status;
const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);
const kindsTo = async ({ email }: Payer) =>
  (await db.select().from(mailOutbox).where(eq(mailOutbox.to, email))).map(({ kind }) => kind).sort();

test("a member cancels a subscription under a schedule, and keeps it again, however often it is clicked", async () => {
  const { payer, id, scheduleId } = await newScheduled();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => press(payer, CANCELLATION, { intent: "cancel" })),
  );
  expect(answers.map(({ headers }) => headers.get("location"))).toEqual(
    Array(4).fill(`${CANCELLATION}?subscription=${id}`),
  );
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: "active",
    cancel_at_period_end: true,
    schedule: null,
  });
  expect(await statusOf(scheduleId)).toBe("released");
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: true, isRequestOpen: false });
  await shop.settled();
  expect(await kindsTo(payer)).toEqual(["billing-canceled", "billing-receipt"]);

  await press(payer, CANCELLATION, { intent: "keep" });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at: null, schedule: null });
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: false });
}, 60_000);

test("an end that a schedule has set is shown, and the member keeps the subscription or cancels it for good", async () => {
  const [kept, canceled] = [await newScheduled({ isEnding: true }), await newScheduled({ isEnding: true })];
  expect(await rowOf(kept.id)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  const saved = await press(kept.payer, CANCELLATION, { intent: "keep" });
  expect(saved.headers.get("location")).toBe("/user/account?saved=kept#subscription");
  expect(await stripe.subscriptions.retrieve(kept.id)).toMatchObject({ cancel_at: null, schedule: null });
  expect(await rowOf(kept.id)).toMatchObject({ cancelAtPeriodEnd: false });

  // The host could still change the end of a schedule.
  await press(canceled.payer, CANCELLATION, { intent: "cancel" });
  expect(await stripe.subscriptions.retrieve(canceled.id)).toMatchObject({
    cancel_at_period_end: true,
    schedule: null,
  });
  expect(await rowOf(canceled.id)).toMatchObject({ cancelAtPeriodEnd: true });
}, 60_000);

test.each<[string, string, Record<string, string>]>([
  ["the account is deleted", "/user/account", { intent: "delete", confirm: "yes" }],
  ["the contract is withdrawn", paths.withdraw(), { intent: "withdraw" }],
])(
  "a subscription under a schedule ends at once when %s",
  async (_, path, form) => {
    const { payer, id, scheduleId } = await newScheduled();
    expect((await press(payer, path, form)).status).toBe(303);
    await shop.settled();
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: "canceled" });
    expect(await statusOf(scheduleId)).not.toBe("active");
  },
  60_000,
);

test("keeping a subscription that renews anyway leaves its schedule", async () => {
  const { payer, id, scheduleId } = await newScheduled();
  await press(payer, CANCELLATION, { intent: "keep" });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at: null, schedule: scheduleId });
  expect(await statusOf(scheduleId)).toBe("active");
}, 60_000);

test("while the provider refuses to end the subscription, the account is not deleted", async () => {
  const { payer, id } = await newScheduled();
  // Twice at the first attempt: after the refusal the schedule is released.
  control.failNext({ status: 400, times: 3, method: "DELETE", pathIncludes: `/v1/subscriptions/${id}` });
  const refused = await press(payer, "/user/account", { intent: "delete", confirm: "yes" });
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("Nothing was deleted.");
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  expect((await press(payer, "/user/account", { intent: "delete", confirm: "yes" })).status).toBe(503);
  expect((await press(payer, "/user/account", { intent: "delete", confirm: "yes" })).status).toBe(303);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
}, 60_000);
