import { eq, sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { deleteDueAccounts, endAndDeleteAccount } from "#app/domain/account/delete-account.server.ts";
import { storeAvatar } from "#app/domain/media/avatar.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { digestTables } from "#tests/support/database/digest.ts";
import { createMember, letDeletionFallDue, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { type Payer, startPaidSite } from "../support/billing/paid-site.ts";
import { purchaseOf } from "../support/billing/shop.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const shop = await startPaidSite({ dataDir: config.dataDir });
const { stripe } = shop;
afterAll(() => shop.stop());

const ACCOUNT = paths.account();

test("a deletion request ends the subscription at once and signs out everywhere, and an email names the day and how to undo it", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  const other = await signedInCookie(payer.id);
  const answer = await remove(payer);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/keep-account?done=requested"]);
  expect(await look("/keep-account?done=requested")).toContain("Your account will be deleted</h1>");
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  for (const cookie of [payer.cookie, other]) expect((await open(ACCOUNT, cookie)).status).toBe(302);
  await shop.settled();

  const mail = await deletionMailTo(payer);
  const day = dayIn(14);
  expect(mail.subject).toBe(`Peony: Your account will be deleted on ${day}`);
  expect(mail.text).toContain(day);
  expect(mail.text).toContain(config.contactEmail);
  // No email says that the subscription has ended while the access remains.
  expect(await db.$count(mailOutbox, sql`"to" = ${payer.email} AND kind = 'billing-ended'`)).toBe(0);
  expect(await db.select().from(subscriptions).where(eq(subscriptions.userId, payer.id))).toMatchObject([
    { status: "canceled" },
  ]);
}, 60_000);

test("the link in the email keeps the account once, without a sign-in, and opening it changes nothing", async () => {
  const member = await newMember();
  await remove(member);
  const link = await undoLinkOf(member);
  const before = await digestTables();
  expect(await look(link)).toMatch(/<h1>Keep your account<\/h1>.*Keep my account/s);
  expect((await press(link, {})).status).toBe(422);
  expect((await press(link, { intent: "keep", confirm: "yes" }, "https://evil.example")).status).toBe(403);
  expect(withoutLimits(await digestTables())).toEqual(withoutLimits(before));

  const kept = await press(link, { intent: "keep", confirm: "yes" });
  expect([kept.status, kept.headers.get("location")]).toEqual([303, "/keep-account?done=kept"]);
  expect(await look("/keep-account?done=kept")).toContain("Your account will not be deleted</h1>");
  expect(await markOf(member)).toBeNull();
  // The link was used.
  expect(await look(link)).toContain("This link no longer works</h1>");
  expect((await press(link, { intent: "keep", confirm: "yes" })).status).toBe(422);
  // The link does not apply to a later request either.
  await remove({ ...member, cookie: await signedInCookie(member.id) });
  expect((await press(link, { intent: "keep", confirm: "yes" })).status).toBe(422);
  expect(await markOf(member)).not.toBeNull();
});

test("an incomplete, invented or foreign link keeps no account", async () => {
  const [member, eve] = [await newMember(), await newMember()];
  await remove(member);
  await remove(eve);
  const own = new URL(await undoLinkOf(eve), "http://site.invalid").searchParams;
  const wrong = [
    paths.keepAccount({ account: member.id, signature: own.get("signature") ?? "" }),
    paths.keepAccount({ account: member.id }),
    paths.keepAccount({ account: member.id, signature: "x".repeat(43) }),
    paths.keepAccount({ account: "not-an-id", signature: own.get("signature") ?? "" }),
  ];
  for (const link of wrong) {
    expect((await press(link, { intent: "keep", confirm: "yes" })).status).toBe(422);
    expect(await look(link)).toContain("This link no longer works</h1>");
  }
  expect(await markOf(member)).not.toBeNull();
});

test("signing in before the deletion leads to the account, which names the day, offers the data and has one button", async () => {
  const member = await newMember();
  await remove(member);
  const jar = new Jar(shop.site);
  jar.set("adult", (await signedInCookie(member.id)).split("adult=")[1] ?? "");
  await jar.post("/signin", { email: member.email, next: "/content/video" });
  const signedIn = await jar.post("/signin/code", { code: (await newestMail(member.email)).code });
  expect(signedIn.headers.get("location")).toBe(ACCOUNT);
  const page = (await (await jar.visit(ACCOUNT)).text()).replaceAll(/<script.*?<\/script>/gs, "");
  expect(page).toContain(`Your account will be deleted on <!-- -->${dayIn(14)}</h1>`);
  expect(page.match(/Keep my account/g)).toHaveLength(1);
  expect(page).not.toMatch(/Delete my account|Save profile|See the plans/);
  expect((await jar.visit(paths.accountAction("export"))).status).toBe(200);

  const kept = await jar.post(ACCOUNT, { intent: "keep" });
  expect(kept.headers.get("location")).toBe("/user/account?saved=account-kept#profile");
  expect(await markOf(member)).toBeNull();
  expect(await (await jar.visit(ACCOUNT)).text()).toContain("Your Account</h1>");
});

test("a new code leads back to the download, even in an account that will be deleted", async () => {
  const member = await newMember();
  await remove(member);
  const jar = new Jar(shop.site);
  for (const pair of (await signedInCookie(member.id)).split("; ")) {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    jar.set(name, value);
  }
  await letSignInGrowOld(member.id);
  const step = paths.confirm("export");
  expect((await jar.visit(paths.accountAction("export"))).headers.get("location")).toBe(step);
  await jar.post(step, { for: "export" });
  const signedIn = await jar.post(paths.signInCode({ for: "export" }), {
    code: (await newestMail(member.email)).code,
  });
  expect(signedIn.headers.get("location")).toBe(step);
  expect((await jar.visit(step)).headers.get("location")).toBe(
    `${paths.account({ saved: "confirmed-export" })}#data`,
  );
  const page = await (await jar.visit(paths.account({ saved: "confirmed-export" }))).text();
  expect(page).toContain("Confirmed. Your data is ready to download.");
  expect((await jar.visit(paths.accountAction("export"))).status).toBe(200);
});

test("an account marked for deletion cannot buy anything", async () => {
  const payer = await shop.createPayer();
  await remove(payer);
  const cookie = await signedInCookie(payer.id);
  const { priceId, consentHash } = await purchaseOf(payer, shop.monthly.id);
  const form = { plan: priceId, [`consent-${priceId}`]: consentHash ?? "" };
  const answer = await press(paths.subscribe(), form, shop.site.origin, cookie);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, ACCOUNT]);
  const open = await stripe.checkout.sessions.list({ customer: payer.customerId, status: "open" });
  expect(open.data).toEqual([]);
});

test("the worker deletes rows, pictures and the provider's customer after 14 days, not a day earlier", async () => {
  const payer = await shop.createPayer();
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: "pink" } })
    .png()
    .toBuffer();
  const version = await storeAvatar(payer.id, bytes);
  const picture = `avatars/${payer.id}/${version}.webp`;
  expect(await mediaStorage.head(picture)).not.toBeNull();
  await remove(payer);
  const link = await undoLinkOf(payer);
  await db
    .update(users)
    .set({ deletionRequestedAt: sql`now() - interval '14 days' + interval '1 minute'` })
    .where(eq(users.id, payer.id));
  await deleteDueAccounts();
  await shop.settled();
  expect(await db.$count(users, eq(users.id, payer.id))).toBe(1);

  await letDeletionFallDue(payer.id);
  await deleteDueAccounts();
  await shop.settled();
  for (const { table, column } of await tablesOfUsers()) {
    const rows = await db.execute(
      sql`SELECT 1 FROM ${sql.identifier(table)} WHERE ${sql.identifier(column)} = ${payer.id}`,
    );
    expect([table, rows.length]).toEqual([table, 0]);
  }
  expect(await db.$count(mailOutbox, eq(mailOutbox.to, payer.email))).toBe(0);
  expect(await mediaStorage.head(picture)).toBeNull();
  expect(await stripe.customers.retrieve(payer.customerId)).toMatchObject({ deleted: true });
  expect(await look(link)).toContain("This link no longer works</h1>");
}, 60_000);

test("a late job neither deletes a kept account nor ends its subscription", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  expect(await endAndDeleteAccount(payer.id)).toBe("kept");
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  expect(await db.$count(users, eq(users.id, payer.id))).toBe(1);
}, 60_000);

test("the worker deletes nothing while the provider does not answer, and continues at the next try", async () => {
  const payer = await shop.createPayer();
  await remove(payer);
  await letDeletionFallDue(payer.id);
  shop.control.failNext({ status: 500, times: 3 });
  await expect(endAndDeleteAccount(payer.id)).rejects.toThrow();
  expect(await db.$count(users, eq(users.id, payer.id))).toBe(1);
  expect(await endAndDeleteAccount(payer.id)).toBe("deleted");
});

test("an account has one deletion job, however many hours the provider does not answer", async () => {
  const payer = await shop.createPayer();
  await remove(payer);
  await letDeletionFallDue(payer.id);
  for (let hour = 0; hour < 3; hour += 1) await deleteDueAccounts();
  expect(await deletionJobsOf(payer)).toEqual([{ attempts: 0 }]);
  // A job that was tried keeps its count and its growing delay.
  await db.execute(sql`SELECT graphile_worker.reschedule_jobs(array(SELECT id FROM graphile_worker.jobs
    WHERE task_identifier = 'delete-account'), attempts => 3)`);
  await deleteDueAccounts();
  expect(await deletionJobsOf(payer)).toEqual([{ attempts: 3 }]);

  await db.execute(sql`SELECT graphile_worker.permanently_fail_jobs(array(SELECT id FROM graphile_worker.jobs
    WHERE task_identifier = 'delete-account'))`);
  await deleteDueAccounts();
  expect(await deletionJobsOf(payer)).toEqual([{ attempts: 0 }]);
  await shop.settled();
  expect(await deletionJobsOf(payer)).toEqual([]);
  expect(await db.$count(users, eq(users.id, payer.id))).toBe(0);
});

async function deletionJobsOf({ id }: { id: string }) {
  const rows = await db.execute<{ attempts: number }>(sql`
    SELECT j.attempts FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'delete-account' AND j.payload ->> 'userId' = ${id}`);
  return [...rows];
}

async function newMember() {
  const member = await createMember();
  return { ...member, cookie: await signedInCookie(member.id) };
}

function remove({ cookie }: Pick<Payer, "cookie">): Promise<Response> {
  return press(ACCOUNT, { intent: "delete", confirm: "yes" }, shop.site.origin, cookie);
}

function press(path: string, form: Record<string, string>, origin = shop.site.origin, cookie = "") {
  return shop.site.fetch(path, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { origin, cookie },
  });
}

function open(path: string, cookie = ""): Promise<Response> {
  return shop.site.fetch(path, { headers: { cookie } });
}

async function look(path: string): Promise<string> {
  return (await open(path)).text();
}

async function deletionMailTo({ email }: { email: string }) {
  const [mail] = await db.select().from(mailOutbox).where(sql`"to" = ${email} AND kind = 'account-deletion'`);
  if (mail === undefined) throw new Error("There is no email about the deletion");
  return mail;
}

async function undoLinkOf(member: { email: string }): Promise<string> {
  const { text } = await deletionMailTo(member);
  const { pathname, search } = new URL(/https?:\S+\/keep-account\?\S+/.exec(text)?.[0] ?? "");
  return pathname + search;
}

async function markOf({ id }: { id: string }): Promise<Date | null | undefined> {
  const [row] = await db.select({ at: users.deletionRequestedAt }).from(users).where(eq(users.id, id));
  return row?.at;
}

function dayIn(days: number): string {
  const date = new Date(Date.now() + days * 24 * 3600_000);
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(date);
}

function withoutLimits({ "public.rate_limits": _, ...tables }: Record<string, string>) {
  return tables;
}

async function tablesOfUsers() {
  return db.execute<{ table: string; column: string }>(sql`
    SELECT c.conrelid::regclass::text AS "table", a.attname AS "column"
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass`);
}
