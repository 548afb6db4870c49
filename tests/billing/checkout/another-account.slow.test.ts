import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteDueAccounts } from "#app/domain/account/delete-account.server.ts";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { cancelLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { customers } from "#db/schema/customers.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { runBillingScript } from "#tests/support/billing/run-script.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { clientOf, submit, WEBHOOK_SECRET } from "#tests/support/billing/stand-in-site.ts";
import { letDeletionFallDue } from "#tests/support/people.ts";

const PRESSES = 50;
const FIRST = "first.json";
const SECOND = "second.json";
const UNKNOWN_TO_PROVIDER = "a payment account that this site no longer uses";

const dir = mkdtempSync(join(tmpdir(), "accounts-"));
const shop = await startPaidSite({ standIn: { stateFile: join(dir, FIRST) } });
let present = shop.standIn;
let offered = "";
const people: Payer[] = [];
const ids = new Map<Payer, string>();

/** The address and key stay the same but belong to another account, as with another key at the same address. */
async function changeAccount(file: typeof FIRST | typeof SECOND): Promise<void> {
  const { port, secretKey } = present;
  await present.stop();
  const webhook = { url: shop.webhook, secret: WEBHOOK_SECRET };
  present = await startStripeStandIn({ port, secretKey, webhook, stateFile: join(dir, file) });
}

beforeAll(async () => {
  for (let count = 0; count < 5; count += 1) {
    const payer = await shop.createPayer();
    ids.set(payer, await shop.buy(payer));
    people.push(payer);
  }
  await shop.settled();
  await changeAccount(SECOND);
  present.control.webhooks({ mode: "drop" });
  const stripe = clientOf(present);
  const product = await stripe.products.create({ name: "Membership" });
  const recurring = { interval: "month" as const };
  const common = { product: product.id, currency: "usd", recurring };
  offered = (await stripe.prices.create({ ...common, unit_amount: 1699 })).id;
}, 60_000);

afterAll(async () => {
  await Promise.all([shop.site.stop(), present.stop()]);
  rmSync(dir, { recursive: true, force: true });
});

function personAt(index: number): { payer: Payer; id: string } {
  const payer = people[index];
  if (payer === undefined) throw new Error("Somebody is missing");
  return { payer, id: ids.get(payer) ?? "" };
}

const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);
const customerOf = async ({ id }: Payer) =>
  (await db.select().from(customers).where(eq(customers.userId, id))).at(0)?.providerCustomerId;
const mailsTo = ({ email }: Payer) => db.$count(mailOutbox, eq(mailOutbox.to, email));

function post({ cookie }: Payer, path: string, form: Record<string, string> = {}) {
  const headers = { cookie, origin: shop.site.origin };
  return shop.site.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
}

async function look({ cookie }: Payer, path: string) {
  const answer = await shop.site.fetch(path, { headers: { cookie } });
  return (await answer.text()).replaceAll(/<!-- -->|<script.*?<\/script>/gs, "");
}

test("while the provider is unreachable nobody is marked as unknown", async () => {
  const { payer, id } = personAt(0);
  present.control.failNext({ status: 500, times: 3 });
  await expect(refreshCustomer(payer.id)).rejects.toThrow("500");
  expect(await rowOf(id)).toMatchObject({ status: "active", unknownSince: null });
  expect(await customerOf(payer)).toBe(payer.customerId);
});

test("a customer of another account can buy under this one: one customer, one page, and paid access stays", async () => {
  const { payer, id } = personAt(0);
  const gone = await startCheckout(await purchaseOf(payer, shop.monthly.id));
  expect(gone).toMatchObject({ kind: "refused", why: "priceGone" });
  expect((await listOffer(null)).plans.map(({ priceId }) => priceId)).toEqual([offered]);
  expect(await rowOf(id)).toMatchObject({ status: "active", unknownSince: expect.any(Date) });
  const page = await look(payer, "/subscribe");
  expect(page).toContain(UNKNOWN_TO_PROVIDER);
  expect(page).toContain(`value="${offered}"`);

  // The state is reset, so that every press finds the customer of the other account.
  await db.delete(customers).where(eq(customers.userId, payer.id));
  const former = { userId: payer.id, provider: "stripe", providerCustomerId: payer.customerId };
  await db.insert(customers).values(former);
  await db.update(subscriptions).set({ unknownSince: null }).where(eq(subscriptions.id, id));
  const purchase = await purchaseOf(payer, offered);
  const starts = await Promise.all(Array.from({ length: PRESSES }, () => startCheckout(purchase)));
  const urls = new Set(starts.map((start) => (start.kind === "page" ? start.url : start.kind)));
  const [url, ...others] = urls;
  expect([url?.startsWith("http"), others]).toEqual([true, []]);
  const stripe = clientOf(present);
  const made = (await stripe.customers.list({ email: payer.email })).data;
  expect(made.map((customer) => customer.id)).toEqual([await customerOf(payer)]);
  expect((await stripe.checkout.sessions.list({ status: "open" })).data).toHaveLength(1);

  const before = await mailsTo(payer);
  await submit(url ?? "", { card: "4242" });
  await refreshCustomer(payer.id);
  const rows = await db.select().from(subscriptions).where(eq(subscriptions.userId, payer.id));
  expect(rows.map(({ status, unknownSince }) => [status, unknownSince !== null]).sort()).toEqual([
    ["active", false],
    ["active", true],
  ]);
  const account = await look(payer, "/user/account");
  expect(account).toMatch(/Your subscription is active until [^<]+ and then renews/);
  expect(account).toContain("$16.99 a month");
  // The email is a receipt; none says that a subscription has ended.
  expect(await mailsTo(payer)).toBe(before + 1);
}, 90_000);

test("a customer of another account reads what to do, in the account and by the emails' link", async () => {
  const { payer, id } = personAt(1);
  const before = await mailsTo(payer);
  const portal = await post(payer, "/subscribe/portal");
  expect([portal.status, portal.headers.get("location")]).toEqual([303, "/user/account#subscription"]);
  const account = await look(payer, "/user/account");
  expect(account).toMatch(/You have access to everything\. Your subscription is paid until \d/);
  expect(account).toContain(UNKNOWN_TO_PROVIDER);
  expect(account).toContain("Subscribe again");
  expect(account).toContain("<dd>None</dd>");
  expect(account).not.toMatch(/Change plan or card|Cancel subscription/);
  const link = new URL(cancelLink({ id, userId: payer.id }));
  for (const [path, fields] of [
    ["/user/account/subscription", {}],
    [link.pathname + link.search, { confirm: "yes" }],
  ] as const) {
    const refused = await post(payer, path, { intent: "cancel", ...fields });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining(UNKNOWN_TO_PROVIDER),
    ]);
  }
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: false });
  expect(await mailsTo(payer)).toBe(before);
}, 60_000);

test("an account with a running subscription unknown to the provider is deleted only after its end, and leaves no job", async () => {
  const { payer, id } = personAt(2);
  const remove = () => post(payer, "/user/account", { intent: "delete", confirm: "yes" });
  const mail = { email: payer.email };
  const moved = await clientOf(present).customers.create(mail);
  // The subscription is unknown to the provider, first together with its customer, then with the customer replaced by
  // another.
  for (const providerCustomerId of [payer.customerId, moved.id]) {
    await db.update(customers).set({ providerCustomerId }).where(eq(customers.userId, payer.id));
    const refused = await remove();
    expect(refused.status).toBe(409);
    expect(await refused.text()).toMatch(
      new RegExp(`${UNKNOWN_TO_PROVIDER}.*Nothing was deleted. Please write to contact@example.com`),
    );
    expect(await db.$count(users, eq(users.id, payer.id))).toBe(1);
  }
  const set = (values: Partial<typeof subscriptions.$inferInsert>) =>
    db.update(subscriptions).set(values).where(eq(subscriptions.id, id));
  await set({ provider: "former" });
  expect((await remove()).status).toBe(409);
  await set({ provider: "stripe", currentPeriodEnd: new Date(Date.now() - 1_000) });
  const gone = await remove();
  expect(gone.status).toBe(303);
  await letDeletionFallDue(payer.id);
  await deleteDueAccounts();
  await shop.settled();
  expect(await db.$count(users, eq(users.id, payer.id))).toBe(0);
  await shop.settled();
  expect(await db.execute(sql`SELECT 1 FROM graphile_worker._private_jobs WHERE attempts > 0`)).toHaveLength(
    0,
  );
});

test("reconciling names and counts unknown subscriptions, and with the right key everything is as before", async () => {
  const { payer, id } = personAt(3);
  const run = () => runBillingScript("billing-reconcile", present, [], {});
  const report = await run();
  expect(report.code).toBe(0);
  expect(report.lines).toContain(`user ${payer.id}  unknown to the provider  customer ${payer.customerId}`);
  expect(report.lines).toContain(`user ${payer.id}  unknown to the provider  subscription ${id}`);
  expect(report.lines.at(-1)).toMatch(/^4 compared, .* 4 unknown to the provider: /);
  const marked = await rowOf(id);
  expect(marked).toMatchObject({ status: "active", unknownSince: expect.any(Date) });

  await changeAccount(FIRST);
  const healed = await run();
  expect(healed.lines).toContain(`user ${payer.id}  changed  subscription ${id}`);
  expect({ ...(await rowOf(id)), fetchedAt: null }).toEqual({
    ...marked,
    unknownSince: null,
    fetchedAt: null,
  });
  expect(await rowOf(personAt(0).id)).toMatchObject({ status: "active", unknownSince: null });
  const canceled = await post(payer, "/user/account/subscription", { intent: "cancel" });
  expect(canceled.headers.get("location")).toBe(`/user/account/subscription?subscription=${id}`);
}, 60_000);

test("a subscription of a former provider does not block a purchase, and the account says so", async () => {
  const { payer, id } = personAt(4);
  await db.update(subscriptions).set({ provider: "former" }).where(eq(subscriptions.id, id));
  await db.update(customers).set({ provider: "former" }).where(eq(customers.userId, payer.id));
  const start = await startCheckout(await purchaseOf(payer, shop.monthly.id));
  expect(start.kind).toBe("page");
  expect(await look(payer, "/user/account")).toContain(UNKNOWN_TO_PROVIDER);
});
