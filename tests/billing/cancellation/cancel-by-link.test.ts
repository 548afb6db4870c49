import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { cancelLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { refreshSubscription } from "#app/domain/billing/sync/reconcile.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { digestTables } from "#tests/support/database/digest.ts";
import { movedClock } from "#tests/support/fast-site.ts";
import { lastSeenAt, UNTIL_NOTED } from "#tests/support/people.ts";

const shop = await startPaidSite({ env: movedClock("the payment provider") });
const { control, stripe } = shop;
control.webhooks({ mode: "drop" });
afterAll(() => shop.stop());

async function newSubscriber(bought: Parameters<typeof shop.buy>[1] = {}) {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer, bought);
  await refreshSubscription("stripe", id);
  const { pathname, search, searchParams } = new URL(cancelLink({ id, userId: payer.id }));
  return { payer, id, link: pathname + search, signature: searchParams.get("signature") ?? "" };
}
const rowOf = async (id: string) => {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row;
};
const look = async (link: string, cookie = "") => {
  const answer = await shop.site.fetch(link, { headers: { cookie } });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};
const press = (link: string, headers: Record<string, string> = {}) =>
  shop.site.fetch(link, {
    method: "POST",
    body: new URLSearchParams({ intent: "cancel", confirm: "yes" }),
    headers: { origin: shop.site.origin, ...headers },
  });

test("without a link a member is led to the account, and has to sign in only when signed out", async () => {
  const { payer } = await newSubscriber();
  expect((await look("/cancel")).html).toContain("Sign in and cancel");
  const { html } = await look("/cancel", payer.cookie);
  expect(html).toContain("Go to your account");
  expect(html).not.toContain("Sign in and cancel");
});

test("opening the email's link changes nothing, and a ticked box with one button there cancels the subscription", async () => {
  const { id, link, payer } = await newSubscriber();
  // A signed-in person's last visit is recorded once, soon after the page.
  await look("/about", payer.cookie);
  await expect.poll(() => lastSeenAt(payer.id), UNTIL_NOTED).not.toBeNull();
  const before = await digestTables();
  for (const cookie of ["", payer.cookie]) {
    const { status, html, headers } = await look(link, cookie);
    expect(status).toBe(200);
    expect(html.match(/<form[^>]*method="post"[^>]*action="\/cancel/g)).toHaveLength(1);
    expect(html).toContain("Cancel my subscription");
    expect(html).toContain("$14.99 a month");
    expect(html).toMatch(/<meta name="robots" content="noindex"/);
    expect(headers.get("referrer-policy")).toBe("same-origin");
  }
  expect((await look(link)).html).not.toContain(payer.email);
  expect(await digestTables()).toEqual(before);
  expect((await stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(false);

  const pressed = await press(link);
  expect([pressed.status, pressed.headers.get("location")]).toEqual([303, link]);
  expect(pressed.headers.getSetCookie()).toEqual([]);
  expect((await stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(true);
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  const after = await look(link);
  expect(after.html).toContain("Your subscription is canceled");
  expect(after.html).toContain("Sign in to keep it");
  expect(after.html).not.toContain("Cancel my subscription");
}, 60_000);

test("six concurrent clicks have the effect of one", async () => {
  const { id, link } = await newSubscriber();
  const answers = await Promise.all(Array.from({ length: 6 }, () => press(link)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(303));
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
}, 60_000);

test("a trial ends with its days, and a subscription never paid ends at once", async () => {
  const trial = await newSubscriber({ trialDays: 7 });
  expect((await look(trial.link)).html).toContain("Cancel my trial");
  await press(trial.link);
  expect(await rowOf(trial.id)).toMatchObject({ status: "trialing", cancelAtPeriodEnd: true });

  const overdue = await newSubscriber();
  control.failNextPayment(overdue.id);
  await control.advance(32 * 24 * 3600);
  await refreshSubscription("stripe", overdue.id);
  expect(await rowOf(overdue.id)).toMatchObject({ status: "past_due" });
  expect((await look(overdue.link)).html).toContain("It ends at once");
  expect((await press(overdue.link)).status).toBe(303);
  expect(await rowOf(overdue.id)).toMatchObject({ status: "canceled" });
  expect((await stripe.subscriptions.retrieve(overdue.id)).status).toBe("canceled");
  expect((await look(overdue.link)).html).toMatch(
    /This subscription has ended.*href="\/subscribe".*Subscribe again/s,
  );
}, 60_000);

test("while the provider is unreachable the request is recorded, not confirmed, and the next try cancels", async () => {
  const { id, link } = await newSubscriber();
  // The SDK makes this many attempts before it gives up.
  control.failNext({ status: 500, times: 3 });
  const pressed = await press(link);
  expect([pressed.status, pressed.headers.get("location")]).toEqual([303, link]);
  const { html } = await look(link);
  expect(html).toContain("Your cancellation is recorded");
  expect(html).not.toContain("is canceled");
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: false });
  expect((await press(link)).status).toBe(303);
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: true });
}, 120_000);

test("a link with a wrong signature changes nothing and leads to the account", async () => {
  const [ada, eve] = [await newSubscriber(), await newSubscriber()];
  await look("/about", eve.payer.cookie);
  await expect.poll(() => lastSeenAt(eve.payer.id), UNTIL_NOTED).not.toBeNull();
  const before = await digestTables();
  const forged: Record<string, string>[] = [
    { subscription: ada.id, signature: eve.signature },
    { subscription: eve.id, signature: ada.signature },
    { subscription: ada.id, signature: "" },
    { subscription: "", signature: ada.signature },
    { subscription: `${ada.id}\u0000`, signature: ada.signature },
    { subscription: ada.id, signature: "x".repeat(5_000) },
    {},
  ];
  for (const query of forged) {
    const answer = await press(paths.cancel(query));
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("/user/account")]);
  }
  const seen = await look(`/cancel?subscription=${ada.id}&signature=${eve.signature}`, eve.payer.cookie);
  expect(seen.html).toContain("This link does not work");
  expect(seen.html).not.toContain("$14.99");
  expect((await press(ada.link, { origin: "https://evil.example" })).status).toBe(403);
  expect(await digestTables()).toEqual(before);
}, 60_000);

test("without a link the page says where to cancel", async () => {
  const { status, html } = await look("/cancel");
  expect(status).toBe(200);
  expect(html).toContain("Cancel a subscription");
  expect(html).toContain("/user/account#subscription");
});
