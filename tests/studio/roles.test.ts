import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import type { Role } from "#app/domain/staff/rights.ts";
import { changeRole } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, sessions, users } from "#db/schema/auth.ts";
import { auditLog } from "#db/schema/staff.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { followLive, untilListening } from "../support/live/live-reader.ts";
import { countMails, newestMail } from "../support/mails.ts";

const FIRST_OWNER = "first.owner@example.com";
const SCRIPT = { id: null, name: "people:role", role: "owner" } as const;
const STAFF = paths.studioStaff();
const UNTIL_HEARD = { timeout: 10_000 };

const [site, otherProcess] = await Promise.all([
  startSite({ dataDir: config.dataDir, env: { OWNER_EMAIL: "First.Owner@Example.com" } }),
  startSite({ dataDir: config.dataDir }),
]);
afterAll(() => Promise.all([site.stop(), otherProcess.stop()]));
beforeEach(async () => {
  await db.delete(rateLimits);
});

test("the address of OWNER_EMAIL becomes the owner at its sign-in, and nobody else, while there is none", async () => {
  const signIn = async (email: string) => {
    const jar = new Jar(site);
    await jar.post(paths.signIn(), { email, next: "/" });
    await jar.post(paths.signInCode(), { code: (await newestMail(email)).code });
    const [user] = await db.select().from(users).where(eq(users.email, email));
    return user?.role;
  };
  expect(await signIn("somebody@example.com")).toBe("member");
  expect(await signIn(FIRST_OWNER)).toBe("owner");
  const successor = await createMember({ role: "owner" });
  expect(await changeRole(SCRIPT, FIRST_OWNER, "member")).toMatchObject({ done: true });
  expect(await signIn(FIRST_OWNER)).toBe("member");
  await db.delete(users).where(eq(users.id, successor.id));
});

test("the studio does not exist for members, and opens to each role what its rights say", async () => {
  const draft = await createVideo({ status: "draft" });
  const items = [paths.studioMedia(), paths.studioItem(draft.id), paths.studioBulk()];
  const pages = [paths.studio(), ...items, STAFF, paths.studioAudit()];
  const answers = async (role: Role) => {
    const jar = await jarOf((await createMember({ role })).id);
    return Promise.all(pages.map(async (path) => (await jar.visit(path)).status));
  };
  expect(await answers("member")).toEqual([404, 404, 404, 404, 404, 404]);
  expect(await answers("editor")).toEqual([200, 200, 200, 200, 404, 404]);
  expect(await answers("publisher")).toEqual([200, 200, 200, 200, 404, 404]);
  expect(await answers("records")).toEqual([200, 404, 404, 404, 404, 404]);
  expect(await answers("owner")).toEqual([200, 200, 200, 200, 200, 200]);
  const menu = async (role: "member" | "editor") =>
    (await (await jarOf((await createMember({ role })).id)).visit(paths.about())).text();
  expect(await menu("member")).not.toContain(`href="${paths.studio()}"`);
  expect(await menu("editor")).toContain(`href="${paths.studio()}"`);
});

test("the studio asks for a new sign-in after twelve hours and comes back, and a form keeps its values", async () => {
  const owner = await createMember({ role: "owner" });
  const jar = await jarOf(owner.id);
  const page = paths.studioAudit({ actor: owner.email });
  await letSignInBe(owner.id, "11 hours 59 minutes");
  expect((await jar.visit(page)).status).toBe(200);
  await letSignInBe(owner.id, "12 hours 1 minute");
  expect((await jar.visit(page)).headers.get("location")).toBe(paths.confirm("studio", page));
  // A form is answered with itself and a field for a code, however old the sign-in is.
  for (const age of ["12 hours 1 minute", "20 days"]) {
    await letSignInBe(owner.id, age);
    const refused = await jar.post(STAFF, { version: "", email: owner.email, role: "owner" });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('name="code"')]);
  }

  const confirm = paths.confirm("studio", page);
  const confirmPage = (await (await jar.visit(confirm)).text()).replaceAll("<!-- -->", "");
  expect(confirmPage).toContain("not ask again for 12 hours");
  const sent = await jar.post(confirm, { for: "studio", next: page });
  expect(sent.headers.get("location")).toBe(paths.signInCode({ for: "studio", next: page }));
  const signedIn = await jar.post(paths.signInCode(), { code: (await newestMail(owner.email)).code });
  expect(signedIn.headers.get("location")).toBe(confirm);
  expect((await jar.visit(confirm)).headers.get("location")).toBe(page);
});

test.each(["https://evil.example/studio/", "//evil.example", "/signout", "/studio/../signout", "/studio-x"])(
  "a new sign-in for the studio leads to the studio only, not to %s",
  async (next) => {
    const jar = await jarOf((await createMember({ role: "owner" })).id);
    expect((await jar.visit(paths.confirm("studio", next))).headers.get("location")).toBe(paths.studio());
  },
);

test("a sign-in older than an hour needs a code inside the form, which keeps its values", async () => {
  const owner = await createMember({ role: "owner" });
  const colleague = await createMember();
  const jar = await jarOf(owner.id);
  await letSignInBe(owner.id, "61 minutes");
  const form = { version: "", email: colleague.email, role: "publisher" };

  const refused = await jar.post(STAFF, form);
  const page = await refused.text();
  expect(refused.status).toBe(403);
  expect(page).toContain(`value="${colleague.email}"`);
  expect(page).toMatch(/<option value="publisher" selected=""/);
  expect(page).toContain('name="code"');
  expect(page).toContain("Nothing has changed yet");
  expect(await roleOf(colleague.id)).toBe("member");

  const { code } = await newestMail(owner.email);
  for (const wrong of ["", "00000000"]) {
    const refused = await jar.post(STAFF, { ...form, code: wrong });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(`value="${colleague.email}"`);
  }
  expect(await countMails(owner.email)).toBe(1);
  await jar.post(STAFF, { ...form, code: "", again: "yes" });
  expect(await countMails(owner.email)).toBe(2);

  const before = jar.get("session");
  const done = await jar.post(STAFF, { ...form, code });
  expect([done.status, done.headers.get("location")]).toEqual([303, STAFF]);
  expect(await roleOf(colleague.id)).toBe("publisher");
  expect(jar.get("session")).not.toBe(before);
  expect((await jar.visit(STAFF)).status).toBe(200);
  // The hour begins again.
  expect((await jar.post(STAFF, { ...form, role: "editor" })).status).toBe(303);
});

test("the code of somebody else confirms nothing, in the same browser either", async () => {
  const owner = await createMember({ role: "owner" });
  const thief = await createMember();
  const jar = await jarOf(owner.id);
  await letSignInBe(owner.id, "2 hours");
  const form = { version: "", email: thief.email, role: "owner" };
  await jar.post(STAFF, form);
  // A browser that is signed in may ask for an email to any address.
  await jar.post(paths.signIn(), { email: thief.email, next: "/" });
  const refused = await jar.post(STAFF, { ...form, code: (await newestMail(thief.email)).code });
  expect(refused.status).toBe(403);
  expect(await roleOf(thief.id)).toBe("member");
});

test("a role is removed from the list, and the only owner's is not", async () => {
  await db.delete(users);
  const owner = await createMember({ role: "owner" });
  const editor = await createMember({ role: "editor" });
  const jar = await jarOf(owner.id);
  const remove = (email: string) => jar.post(STAFF, { version: "", email, role: "member" });
  expect((await remove(editor.email)).status).toBe(303);
  expect(await roleOf(editor.id)).toBe("member");
  const refused = await remove(owner.email);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("This is the only owner");
  const unknown = await jar.post(STAFF, { version: "", email: "nobody@example.com", role: "editor" });
  expect(await unknown.text()).toMatch(/Nobody with this email address has signed in yet/);
});

test("a change of role counts at once in every process, and an open page hears of it", async () => {
  const draft = await createVideo({ status: "draft", withFiles: true });
  const cover = paths.mediaFile(draft.id, "cover-480.avif");
  const person = await createMember();
  const cookie = await signedInCookie(person.id);
  const statuses = () =>
    Promise.all(
      [site, otherProcess].map(
        async (process) => (await process.fetch(cover, { headers: { cookie } })).status,
      ),
    );
  await untilListening(otherProcess);
  const live = await followLive(otherProcess, cookie);
  expect(await statuses()).toEqual([404, 404]);
  await changeRole(SCRIPT, person.email, "editor");
  await expect
    .poll(() => live.events.filter((event) => event.includes("access")), UNTIL_HEARD)
    .not.toEqual([]);
  expect(await statuses()).toEqual([200, 200]);
  await changeRole(SCRIPT, person.email, "records");
  await expect.poll(statuses, UNTIL_HEARD).toEqual([404, 404]);
  live.close();
});

test("the last owner cannot delete the account", async () => {
  await db.delete(users);
  const owner = await createMember({ role: "owner" });
  const jar = await jarOf(owner.id);
  const refused = await jar.post(paths.account(), { intent: "delete", confirm: "yes" });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("You are the only owner of this site");
  const [user] = await db.select().from(users).where(eq(users.id, owner.id));
  expect(user?.deletionRequestedAt).toBeNull();
});

test("the audit log is read in plain words, by fifty, and filtered", async () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const begunOn = today();
  const owner = await createMember({ role: "owner" });
  const ann = await createMember({ email: "ann@example.com" });
  const actor = { id: owner.id, name: owner.email, role: "owner" } as const;
  const jar = await jarOf(owner.id);
  for (let times = 0; times < 30; times += 1) {
    await changeRole(actor, ann.email, "editor");
    await changeRole(actor, ann.email, "member");
  }
  const read = async (query: Record<string, string>) => {
    const page = await (await jar.visit(paths.studioAudit(query))).text();
    return { page, ids: [...page.matchAll(/id="entry-(\d+)"/g)].map(([, id]) => Number(id)) };
  };
  const all = { actor: owner.email, subject: "ANN@example.com", action: "role.changed" };
  const first = await read(all);
  expect(first.ids).toHaveLength(50);
  expect(first.page).toContain("made ann@example.com a member");
  const older = await read({ ...all, before: String(first.ids.at(-1)) });
  expect(older.ids).toHaveLength(10);
  expect(Math.max(...older.ids)).toBeLessThan(Math.min(...first.ids));
  expect((await read({ ...all, after: String(older.ids[0]) })).ids).toEqual(first.ids);

  expect((await read({ ...all, from: begunOn, to: today() })).ids).toEqual(first.ids);
  expect((await read({ ...all, to: "2020-01-01" })).ids).toEqual([]);
  expect((await read({ subject: ann.id })).ids).toHaveLength(50);
  expect((await read({ actor: "somebody.else@example.com" })).ids).toEqual([]);
  expect((await read({ action: "media.published" })).ids).toEqual([]);
  expect((await read({ from: "2026-02-31", action: "nonsense", before: "x" })).ids).toHaveLength(50);
  expect(await db.$count(auditLog)).toBeGreaterThanOrEqual(60);
});

async function letSignInBe(userId: string, ago: string): Promise<void> {
  await db
    .update(sessions)
    .set({ signedInAt: sql`now() - ${ago}::interval` })
    .where(eq(sessions.userId, userId));
}

async function roleOf(id: string): Promise<string | undefined> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.id, id));
  return user?.role;
}

async function jarOf(userId: string): Promise<Jar> {
  const jar = new Jar(site);
  for (const pair of (await signedInCookie(userId)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return jar;
}
