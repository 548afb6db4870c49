import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";

const DAY = 86_400;

// A transfer takes longer than an event stays fresh. The site uses the real clock, so the provider's clock starts in
// the past.
const folder = mkdtempSync(join(tmpdir(), "late-money-"));
const stateFile = join(folder, "state.json");
writeFileSync(stateFile, JSON.stringify({ clockOffset: -11 * DAY }));
const shop = await startPaidSite({ standIn: { stateFile } });
const { control, stripe } = shop;
afterAll(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true });
});

const mailsTo = ({ email }: Payer) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(mailOutbox.createdAt);
const subjects = async (payer: Payer) => (await mailsTo(payer)).map(({ subject }) => subject);
const rowsOf = ({ id }: Payer) => db.select().from(subscriptions).where(eq(subscriptions.userId, id));
const pageOf = async ({ cookie }: Payer, path: string) =>
  (await shop.site.fetch(path, { headers: { cookie } })).text();

const weekly = await stripe.prices.create({
  product: shop.product.id,
  currency: "usd",
  unit_amount: 499,
  recurring: { interval: "week" },
});
const [renewing, bouncing, late] = [
  await shop.createPayer(),
  await shop.createPayer(),
  await shop.createPayer(),
];
await shop.buy(renewing, { price: weekly.id, card: "bank" });
const bounced = await shop.buy(bouncing, { price: weekly.id, card: "bank" });
await control.advance(7 * DAY);
await shop.settled();
const order = await startCheckout(await purchaseOf(late, shop.monthly.id));
await submit(order.kind === "page" ? order.url : "", { card: "bank" });
await shop.settled();

test("a pending bank transfer of a renewal asks nobody for money, and access continues", async () => {
  for (const payer of [renewing, bouncing]) {
    // This call is also made at night and at sign-in.
    await refreshCustomer(payer.id);
    expect(await rowsOf(payer)).toMatchObject([{ status: "active", isPaymentPending: true }]);
    expect(await subjects(payer)).toEqual([]);
  }
  const account = await pageOf(renewing, paths.account());
  expect(account).toContain("Pending: your bank is sending the money");
  expect(account).toContain("and then renews. Your bank is still sending the money for this period");
  expect(account).toContain("Watch something");
  const offer = await pageOf(renewing, paths.subscribe());
  for (const page of [account, offer]) {
    for (const asks of ["Not paid yet", "did not go through", "due now", ">Pay "]) {
      expect(page).not.toContain(asks);
    }
  }
  expect(offer).toContain("You are subscribed");
  // The pending money is for the current period, which a member keeps after canceling.
  const cancellation = await pageOf(renewing, paths.accountAction("subscription"));
  expect(cancellation).not.toContain("We cannot stop money that the bank has already sent");
});

test("a renewal that the bank returns after days is emailed, and access ends", async () => {
  await control.advance(2 * DAY);
  control.completeTransfer(bounced, "failed");
  await shop.settled();
  expect(await rowsOf(bouncing)).toMatchObject([{ status: "past_due", isPaymentPending: false }]);
  expect(await subjects(bouncing)).toEqual(["Peony: A payment did not go through"]);
  const account = await pageOf(bouncing, paths.account());
  for (const words of ["so your access is paused until it does", "Fix payment", "Not paid yet"]) {
    expect(account).toContain(words);
  }
});
