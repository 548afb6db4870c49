import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { mailAboutSubscription } from "#app/domain/billing/mails/lifecycle-mails.server.ts";
import { mailAboutInvoice } from "#app/domain/billing/mails/payment-mails.server.ts";
import { findBySignature } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { db } from "#db/client.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { runJobs } from "#tests/support/billing/run-jobs.ts";
import { createMember, subscribe } from "#tests/support/people.ts";

const arrived: Buffer[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      arrived.push(Buffer.concat(chunks));
      done();
    });
  },
});
// A client that resets its connection is no fault of the test.
smtp.on("error", () => {});

beforeAll(async () => {
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  config.mail.smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => smtp.close(resolve)));

/** The address that follows a link's words in a plain-text mail. */
function linkIn({ text = "" }: Email): URL {
  return new URL(/http\S+\/cancel\S+$/m.exec(text)?.[0] ?? "");
}

test("receipt and cancellation arrive by SMTP, complete, with a valid link, and leave no text in the outbox", async () => {
  const { id: userId, email } = await createMember({ fullName: "Ada Marlowe" });
  const id = await subscribe(userId);
  const period = { periodStart: new Date(), periodEnd: new Date(Date.now() + 30 * 24 * 3600_000) };
  const sums = { currency: "eur", total: 1200, amountPaid: 1200, status: "paid" as const };
  const bill = { ...period, ...sums, id: "in_1", userId, subscriptionId: id, createdAt: new Date() };
  const [invoice] = await db.insert(invoices).values(bill).returning();
  const [before] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  const [after] = await db
    .update(subscriptions)
    .set({ cancelAtPeriodEnd: true, canceledAt: new Date() })
    .where(eq(subscriptions.id, id))
    .returning();
  if (!invoice || !before || !after) throw new Error("Nothing was stored");
  await db.transaction((tx) => mailAboutInvoice(tx, invoice));
  await db.transaction((tx) => mailAboutSubscription(tx, { before, after }));
  await runJobs();

  const mails = await Promise.all(arrived.map((raw) => PostalMime.parse(raw)));
  mails.sort((one, other) => (one.subject ?? "").localeCompare(other.subject ?? ""));
  expect(mails.map(({ subject }) => subject)).toEqual([
    "Peony: Receipt for your new subscription",
    "Peony: Your cancellation is confirmed",
  ]);
  for (const mail of mails) {
    expect(mail.to?.map(({ address }) => address)).toEqual([email]);
    const link = linkIn(mail);
    expect(mail.html?.replaceAll("&amp;", "&")).toContain(link.href);
    const { searchParams } = link;
    const opened = await findBySignature(
      searchParams.get("subscription") ?? "",
      searchParams.get("signature") ?? "",
    );
    expect(opened).toEqual({ id, userId });
    expect(`${mail.text}${mail.html}`).not.toMatch(/Marlowe|<script|<img|src=/);
  }
  expect(mails[0]?.text).toMatch(/^Amount: €12\.00$/m);
  const left = await db.select().from(mailOutbox);
  expect(left.map(({ text, html, sentAt }) => [text, html, sentAt !== null])).toEqual([
    ["", "", true],
    ["", "", true],
  ]);
});
