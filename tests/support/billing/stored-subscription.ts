import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { DAY_MS } from "#app/dates.ts";
import { mailAboutSubscription } from "#app/domain/billing/mails/lifecycle-mails.server.ts";
import { mailAboutInvoice } from "#app/domain/billing/mails/payment-mails.server.ts";
import { db } from "#db/client.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { createMember } from "../people.ts";

export type Subscription = typeof subscriptions.$inferSelect;
export type Invoice = typeof invoices.$inferSelect;

export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
export const id = (kind: string) => `${kind}_${randomBytes(6).toString("hex")}`;

/** Leaves no subscription, and two plans. */
export async function prepareOffer(): Promise<void> {
  await db.delete(subscriptions);
  const product = { id: "prod_letters", name: "All access" };
  await db.insert(products).values(product).onConflictDoNothing();
  const common = { productId: product.id, currency: "usd" };
  await db
    .insert(prices)
    .values([
      { ...common, id: "monthly", unitAmount: 1499, interval: "month" },
      { ...common, id: "yearly", unitAmount: 11_900, interval: "year" },
    ])
    .onConflictDoNothing();
}

export async function begin(given: Partial<Subscription> = {}) {
  const { id: userId, email } = await createMember();
  const [subscription] = await db
    .insert(subscriptions)
    .values({
      id: id("sub"),
      userId,
      provider: "stripe",
      status: "active",
      priceId: "monthly",
      currentPeriodStart: inDays(0),
      currentPeriodEnd: inDays(30),
      ...given,
    })
    .returning();
  if (!subscription) throw new Error("Nothing was stored");
  return { subscription, email, userId };
}

export async function bill({ id: subscriptionId, userId }: Subscription, given: Partial<Invoice> = {}) {
  const [invoice] = await db
    .insert(invoices)
    .values({
      id: id("in"),
      userId,
      subscriptionId,
      number: "A-1",
      status: "paid",
      currency: "usd",
      total: 1499,
      amountPaid: 1499,
      periodStart: inDays(0),
      periodEnd: inDays(30),
      createdAt: inDays(0),
      hostedUrl: "https://pay.example/invoice",
      ...given,
    })
    .returning();
  if (!invoice) throw new Error("Nothing was stored");
  return invoice;
}

export const mailInvoice = (invoice: Invoice) => db.transaction((tx) => mailAboutInvoice(tx, invoice));
export const mailSubscription = (after: Subscription, before: Subscription | null = null) =>
  db.transaction((tx) => mailAboutSubscription(tx, { before, after }));

export async function change(
  subscription: Subscription,
  changed: Partial<Subscription>,
): Promise<Subscription> {
  await db.update(subscriptions).set(changed).where(eq(subscriptions.id, subscription.id));
  const after = { ...subscription, ...changed };
  await mailSubscription(after, subscription);
  return after;
}

export const mailsTo = (email: string) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(mailOutbox.createdAt);
export const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
export const newest = async (email: string) =>
  (await mailsTo(email)).at(-1) ?? { text: "", html: "", subject: "" };

/** Checks all emails that this file has written so far. */
export async function expectDiscreetMails(fewest: number): Promise<void> {
  const mails = await db.select().from(mailOutbox);
  expect(mails.length).toBeGreaterThanOrEqual(fewest);
  for (const { subject, text, html } of mails) {
    expect(subject).toMatch(/^Peony: /);
    const seen = html.replace(/<style>[^<]*<\/style>/, "");
    const written = `${subject}${text}${seen}`.replaceAll(/signature=[\w-]+/g, "");
    expect(written).not.toMatch(/film|video|photo|nude|adult|watch|\{|undefined|null/i);
    expect(text).toMatch(/\/cancel\?subscription=sub_[0-9a-f]+&signature=[\w-]{43}/);
  }
}
