import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PartName } from "#app/domain/catalog/edit/item/parts.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { listDraftLinks } from "#tests/support/draft-links.ts";
import { openedPart } from "#tests/support/edit-part.ts";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { createMember, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { countMails } from "../support/mails.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

/** An owner who signed in two days ago, in a browser. */
async function signedInLongAgo(): Promise<{ jar: Jar; id: string; email: string }> {
  const { id, email } = await createMember({ role: "owner" });
  const jar = new Jar(site);
  signIn(jar, await signedInCookie(id));
  await letSignInGrowOld(id, "2 days");
  return { jar, id, email };
}

function signIn(jar: Jar, cookies: string): void {
  for (const pair of cookies.split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

async function stored(id: string) {
  const [row] = await db.select().from(media).where(eq(media.id, id));
  return row;
}

test("a text that is sent with an old sign-in comes back as typed, and a fresh sign-in saves it", async () => {
  const { jar, id: owner } = await signedInLongAgo();
  const { id } = await createVideo({ title: "Silk", description: "Old" });
  const { version } = await openedPart(id, "text");
  const page = paths.studioItemPart(id, "text");
  const form = { version, title: "Silk and smoke", description: "A long text" };
  const refused = await jar.post(page, form);
  const html = await refused.text();
  expect(refused.status).toBe(401);
  expect(html).toContain('value="Silk and smoke"');
  expect(html).toContain("A long text</textarea>");
  expect(html).toContain("Nothing was saved yet.");
  expect(html).toContain(`name="version" value="${version}"`);
  expect(await stored(id)).toMatchObject({ title: "Silk", description: "Old" });

  signIn(jar, await signedInCookie(owner));
  const saved = await jar.post(page, form);
  expect([saved.status, saved.headers.get("location")]).toEqual([303, page]);
  expect(await stored(id)).toMatchObject({ title: "Silk and smoke", description: "A long text" });
});

test.each(["credits", "dates", "access"])("%s sent with an old sign-in change nothing", async (part) => {
  const { jar } = await signedInLongAgo();
  const { id } = await createVideo();
  const before = await stored(id);
  const changes: Record<string, Record<string, string>> = {
    credits: { creators: "", added: "New", shoot: "", find: "" },
    dates: { producedOn: "2026-05-31", expireAt: "", timeZone: "UTC", expiredAt: "" },
    access: { access: "free" },
  };
  const { version } = await openedPart(id, part as PartName);
  expect((await jar.post(paths.studioItemPart(id, part), { ...changes[part], version })).status).toBe(401);
  expect(await stored(id)).toEqual(before);
});

test("creators and tags stay as they are when an old sign-in sends their forms, which come back as typed", async () => {
  const { jar } = await signedInLongAgo();
  const { id, name, slug } = await createCreator({ name: `Ada ${crypto.randomUUID()}` });
  const { id: other, slug: into } = await createCreator({ name: `Bea ${crypto.randomUUID()}` });
  const stored = async () => [
    await db.execute(sql`SELECT * FROM creators WHERE id IN (${id}, ${other}) ORDER BY id`),
    await db.execute(sql`SELECT * FROM creator_files WHERE creator_id = ${id} ORDER BY name`),
    await db.execute(sql`SELECT count(*) FROM creators`),
  ];
  const before = await stored();
  const page = paths.studioName("creator", id);
  const forms: [path: string, fields: Record<string, string>][] = [
    [`${page}?index`, { name, slug, bio: "A long text" }],
    [`${page}/portrait`, {}],
    [paths.studioNamePart("creator", id, "merge", { into }), { into: other }],
    [`${page}/delete`, { confirm: "yes" }],
    [paths.studioNames("creator"), { name: "A long text" }],
  ];
  for (const [path, fields] of forms) {
    const refused = await jar.post(path, { version: "opened", ...fields });
    const html = await refused.text();
    expect([path, refused.status]).toEqual([path, 401]);
    expect(html).toContain("Nothing was saved yet.");
    if (Object.values(fields).includes("A long text")) expect(html).toContain("A long text");
    if ("confirm" in fields) expect(html).toMatch(/<input(?=[^>]*name="confirm")[^>]* checked/);
  }
  expect(await stored()).toEqual(before);
});

test("a portrait sent with an old sign-in is not stored, and has to be chosen again", async () => {
  const { jar } = await signedInLongAgo();
  const { id } = await createCreator({ name: `Ada ${crypto.randomUUID()}` });
  await db.execute(sql`DELETE FROM creator_files WHERE creator_id = ${id}`);
  const body = new FormData();
  body.set("version", "opened");
  body.set("portraitAlt", "A red square");
  body.set("picture", new Blob(["a picture"]), "a.jpg");
  const page = paths.studioNamePart("creator", id, "portrait");
  const headers = { Origin: site.origin };
  const refused = await jar.visit(page, { method: "POST", body, redirect: "manual", headers });
  const html = await refused.text();
  expect(refused.status).toBe(401);
  expect(html).toContain('value="A red square"');
  expect(html).toContain("Please choose the file again, too.");
  expect(await db.execute(sql`SELECT FROM creator_files WHERE creator_id = ${id}`)).toHaveLength(0);
});

test("a takedown keeps its reason, and a fresh sign-in takes the item down", async () => {
  const { jar, id: owner } = await signedInLongAgo();
  const { id } = await createVideo();
  const form = { intent: "takeDown", reason: "A complaint" };
  const refused = await jar.post(paths.studioItemForm(id), form);
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain("A complaint</textarea>");
  expect((await stored(id))?.status).toBe("published");

  signIn(jar, await signedInCookie(owner));
  const done = await jar.post(paths.studioItemForm(id), form);
  expect([done.status, done.headers.get("location")]).toEqual([303, paths.studioItem(id)]);
  expect((await stored(id))?.status).toBe("takenDown");
  expect(await (await jar.visit(paths.studioItem(id))).text()).toContain("It is taken down.");
  expect(await (await jar.visit(paths.studioItem(id))).text()).not.toContain("It is taken down.");
});

test("neither a state nor a draft link changes with an old sign-in", async () => {
  const { jar } = await signedInLongAgo();
  const { id } = await createVideo({ status: "draft" });
  const forms: Record<string, string>[] = [
    { intent: "publish", confirm: "yes" },
    { intent: "schedule", publishAt: "2099-01-01T10:00", confirm: "yes" },
    { intent: "delete", confirm: "yes" },
    { intent: "makeLink" },
  ];
  for (const form of forms) expect((await jar.post(paths.studioItemForm(id), form)).status).toBe(401);
  expect((await stored(id))?.status).toBe("draft");
  expect(await listDraftLinks(id)).toEqual([]);
});

test("a change of many items stands below its preview again, and a fresh sign-in confirms it", async () => {
  const { jar, id: owner, email } = await signedInLongAgo();
  const { id } = await createVideo({ title: "Silk" });
  const form = { change: "state:takeDown", value: "A complaint", id };
  const preview = paths.studioBulk(form);
  const refused = await jar.post(preview, form);
  const page = await refused.text();
  expect(refused.status).toBe(401);
  expect(page).toContain("1 item would change");
  expect(page).toContain("Nothing was saved yet.");
  expect(page).toContain('name="value" value="A complaint"');
  expect(page).toContain(`name="id" value="${id}"`);
  expect(await countMails(email)).toBe(0);
  expect((await stored(id))?.status).toBe("published");

  signIn(jar, await signedInCookie(owner));
  expect((await jar.post(preview, form)).status).toBe(303);
  expect((await stored(id))?.status).toBe("takenDown");
});
