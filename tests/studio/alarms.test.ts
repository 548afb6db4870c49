import { desc, eq, like } from "drizzle-orm";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, users } from "#db/schema/auth.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { siteSettings } from "#db/schema/site.ts";
import { auditLog } from "#db/schema/staff.ts";
import { createMember, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

vi.setConfig({ testTimeout: 60_000 });

const ALARMS = paths.studioSettings("alarms");
const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await Promise.all([db.delete(rateLimits), db.delete(mailOutbox)]);
  await db.update(users).set({ role: "member" });
  await db.delete(siteSettings).where(like(siteSettings.name, "site.%"));
});

test("alarm addresses are stored one per line, each once, and the audit log has them", async () => {
  const { jar } = await owner();
  const saved = await send(jar, "ANN@example.com\r\n\r\n bob@Bücher.example\r\nann@example.com");
  expect(saved.status).toBe(303);
  expect(await stored()).toBe("ann@example.com\nbob@xn--bcher-kva.example");
  const page = await (await jar.visit(saved.headers.get("location") ?? "")).text();
  expect(page).toContain("The alarm addresses are saved.");
  expect(page).toContain("ann@example.com\nbob@xn--bcher-kva.example</textarea>");
  const [entry] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
  expect(entry).toMatchObject({ action: "site.edited", subjectId: "alarms" });
  const log = (await (await jar.visit(paths.studioAudit())).text()).replaceAll("<!-- -->", "");
  expect(log).toContain("changed a setting: alarm addresses");
  expect(log).toContain("Alarm addresses: the default → ann@example.com, bob@xn--bcher-kva.example");
  expect((await send(jar, "bob", "", { reset: "yes" })).status).toBe(303);
  expect(await stored()).toBeUndefined();
});

test("without addresses, the page names every owner, and a test goes to them", async () => {
  const { jar, email } = await owner();
  const other = await createMember({ role: "owner", email: "second@xn--bcher-kva.example" });
  const page = (await (await jar.visit(ALARMS)).text()).replaceAll("<!-- -->", "");
  for (const address of [email, "second@bücher.example"]) expect(page).toContain(address);
  const tested = await send(jar, "not saved", "test");
  const answer = (await tested.text()).replaceAll("<!-- -->", "");
  expect(tested.status).toBe(200);
  expect(answer).toContain("A test alarm is on its way to");
  expect(answer).toContain("not saved</textarea>");
  // A list that could not be saved is no obstacle.
  expect((await send(jar, "x".repeat(2_000), "test")).status).toBe(200);
  const mails = await db.select().from(mailOutbox).limit(2).orderBy(mailOutbox.createdAt);
  expect(mails.map(({ to }) => to).sort()).toEqual([email, other.email].sort());
  expect(mails[0]).toMatchObject({ kind: "alarm-test", subject: "Peony: a test alarm" });
  expect(await stored()).toBeUndefined();
});

test("a test goes to the stored addresses, five times an hour", async () => {
  const { jar } = await owner();
  await send(jar, "ann@example.com");
  for (let count = 0; count < 5; count += 1) expect((await send(jar, "", "test")).status).toBe(200);
  const refused = await send(jar, "", "test");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
  const mails = await db.select({ to: mailOutbox.to }).from(mailOutbox);
  expect(mails.map(({ to }) => to)).toEqual(Array(5).fill("ann@example.com"));
});

test("a test needs an owner with a recent sign-in, like a save", async () => {
  const { jar, id } = await owner();
  await letSignInGrowOld(id, "13 hours");
  const refused = await send(jar, "typed", "test");
  expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining("typed</textarea>")]);
  const tests = () => db.$count(mailOutbox, eq(mailOutbox.kind, "alarm-test"));
  expect(await tests()).toBe(0);
  await letSignInGrowOld(id, "0 minutes");
  expect((await send(jar, "typed", "test")).status).toBe(200);
  expect(await tests()).toBe(1);
  const publisher = new Jar(site);
  await signIn(publisher, (await createMember({ role: "publisher" })).id);
  expect((await send(publisher, "", "test")).status).toBe(404);
  // Another section has no test.
  const other = { version: versionOf({ contactEmail: "" }), contactEmail: "", intent: "test" };
  expect((await jar.post(paths.studioSettings("contact"), other)).status).toBe(422);
  expect(await tests()).toBe(1);
});

async function owner() {
  const member = await createMember({ role: "owner" });
  const jar = new Jar(site);
  await signIn(jar, member.id);
  return { jar, ...member };
}

async function signIn(jar: Jar, userId: string): Promise<void> {
  for (const pair of (await signedInCookie(userId)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

async function send(jar: Jar, alarmAddresses: string, intent = "", more: Record<string, string> = {}) {
  const version = versionOf({ alarmAddresses: (await stored()) ?? "" });
  return jar.post(ALARMS, { version, alarmAddresses, ...(intent && { intent }), ...more });
}

async function stored(): Promise<unknown> {
  const [row] = await db.select().from(siteSettings).where(eq(siteSettings.name, "site.alarmAddresses"));
  return row?.value;
}
