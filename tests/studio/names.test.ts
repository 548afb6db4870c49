import { sql } from "drizzle-orm";
import sharp from "sharp";
import { decode } from "turbo-stream";
import { afterAll, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { type NameKind, paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { openedPart } from "#tests/support/edit-part.ts";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

async function staff(role: "editor" | "owner" = "editor") {
  const { id, email } = await createMember({ role });
  return { id, email, jar: jarOf(await signedInCookie(id)) };
}

function jarOf(cookies: string): Jar {
  const jar = new Jar(site);
  for (const pair of cookies.split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return jar;
}

const plain = async (answer: Response) => (await answer.text()).replaceAll("<!-- -->", "");
const formOf = (kind: NameKind, id: string) => `${paths.studioName(kind, id)}?index`;
/** Of the values that the page's form is opened with. */
async function versionAt(jar: Jar, path: string): Promise<string> {
  return /name="version" value="([^"]+)"/.exec(await (await jar.visit(path)).text())?.[1] ?? "";
}
async function textForm(jar: Jar, { id, name, slug }: { id: string; name: string; slug: string }) {
  return { version: await versionAt(jar, paths.studioName("creator", id)), name, slug, bio: "" };
}
const visit = async (path: string) => jarOf(await adultCookie()).visit(path, { redirect: "manual" });

test("a creator is added, gets a name, an address, links and a biography, and the site shows them", async () => {
  const { jar } = await staff();
  const made = await jar.post(paths.studioNames("creator"), { version: "", name: " Ada  Marlowe " });
  const path = new URL(made.headers.get("location") ?? "", site.origin).pathname;
  const first = await plain(await jar.visit(path));
  expect(made.status).toBe(303);
  expect(first).toContain("Ada Marlowe");
  expect(first).toContain("The creator is added.");
  const again = await jar.post(paths.studioNames("creator"), { version: "", name: "ada marlowe" });
  expect(again.status).toBe(422);
  expect(await plain(again)).toContain("“Ada Marlowe” is already a creator");
  expect(await plain(await jar.visit(paths.studioNames("creator", { q: "marl" })))).toContain(
    `href="${path}"`,
  );

  const id = path.split("/").at(-1) ?? "";
  await createVideo({ creators: [id] });
  const opened = await textForm(jar, { id, name: "Ada Marlowe", slug: "ada-marlowe" });
  const link = { labels: "Site", links: "https://example.com/ada" };
  const wanted = { ...opened, ...link, slug: "ada", bio: "Works with **light**." };
  expect((await jar.post(formOf("creator", id), wanted)).headers.get("location")).toBe(path);
  expect(await plain(await jar.visit(path))).toContain("Name and texts are saved.");
  const page = await plain(await visit("/creators/ada"));
  expect(page).toContain("<strong>light</strong>");
  expect(page).toContain('href="https://example.com/ada"');
  expect(page).not.toContain("Edit this creator");
  expect(await plain(await jar.visit("/creators/ada"))).toContain(`href="${path}"`);
  const moved = await visit("/creators/ada-marlowe?tab=photos");
  expect([moved.status, moved.headers.get("location")]).toEqual([301, "/creators/ada?tab=photos"]);
  const filtered = await visit("/content/video?creator=ada-marlowe&sort=title");
  expect([filtered.status, filtered.headers.get("location")]).toEqual([
    301,
    "/content/video?creator=ada&sort=title",
  ]);
});

test.each([
  "javascript:alert(1)",
  "JAVASCRIPT:alert(1)//https://example.com",
  "data:text/html,x",
  "//example.com",
  "https:example.com",
  "https://",
  "https://paypal.com@evil.example",
  "https://exa mple.com",
  "ftp://example.com",
  "https://example.com/\u0000",
])("a link to %j is refused beside its field, and what was typed stays", async (url) => {
  const { jar } = await staff();
  const creator = await createCreator({ name: `Linked ${crypto.randomUUID()}` });
  const { id } = creator;
  const form = { ...(await textForm(jar, creator)), labels: "My site", links: url };
  const refused = await jar.post(formOf("creator", id), form);
  expect(refused.status).toBe(422);
  const page = await plain(refused);
  expect(page).toContain('value="My site"');
  expect(page).toContain("Nothing was saved.");
  const [row] = await db.execute(sql`SELECT links FROM creators WHERE id = ${id}`);
  expect(row).toEqual({ links: [] });
});

test.each(["../admin", "a/b", "Ä", "", "a b", "-a", "a--b", "x".repeat(81), "%2e%2e"])(
  "the address %j is refused",
  async (slug) => {
    const { jar } = await staff();
    const creator = await createCreator({ name: `Addressed ${crypto.randomUUID()}` });
    const form = { ...(await textForm(jar, creator)), slug };
    expect((await jar.post(formOf("creator", creator.id), form)).status).toBe(422);
  },
);

test("the second of two people who change one creator sees who saved when and what, and “Save mine” saves", async () => {
  const [{ jar: ours }, { jar: theirs, email }] = [await staff(), await staff()];
  const creator = await createCreator({ name: "Opened name" });
  const page = formOf("creator", creator.id);
  const opened = await textForm(ours, creator);
  expect((await theirs.post(page, { ...opened, name: "Theirs" })).status).toBe(303);
  const refused = await ours.post(page, { ...opened, name: "Ours", bio: "Mine" });
  const html = await plain(refused);
  expect(refused.status).toBe(409);
  for (const words of [
    ...[`The last edit is by ${email}, on `, "<dd>Theirs</dd>", "Save mine"],
    ...['value="Ours"', "Mine</textarea>"],
  ]) {
    expect(html).toContain(words);
  }
  const [kept] = await db.execute(sql`SELECT name, bio FROM creators WHERE id = ${creator.id}`);
  expect(kept).toEqual({ name: "Theirs", bio: "" });
  const version = /name="version" value="([^"]+)"/.exec(html)?.[1] ?? "";
  expect((await ours.post(page, { ...opened, version, name: "Ours", bio: "Mine" })).status).toBe(303);
  const [decided] = await db.execute(sql`SELECT name, bio FROM creators WHERE id = ${creator.id}`);
  expect(decided).toEqual({ name: "Ours", bio: "Mine" });
});

test("a creator with more other names than a form saves can still get another biography", async () => {
  const { jar } = await staff();
  const aliases = Array.from({ length: 51 }, (_, index) => `Alias ${index} ${crypto.randomUUID()}`);
  const creator = await createCreator({ name: `Merged ${crypto.randomUUID()}`, aliases });
  const form = new URLSearchParams({ ...(await textForm(jar, creator)), bio: "Merged often." });
  for (const alias of aliases) form.append("aliases", alias);
  const send = () =>
    jar.visit(formOf("creator", creator.id), {
      ...{ method: "POST", body: form, redirect: "manual" },
      headers: { Origin: site.origin },
    });
  expect((await send()).status).toBe(303);
  form.append("aliases", "One more");
  form.set("version", await versionAt(jar, paths.studioName("creator", creator.id)));
  const refused = await send();
  expect(refused.status).toBe(422);
  expect(await plain(refused)).toContain("A creator can have up to 50 other names.");
});

test("a portrait is uploaded with its text, shown, replaced and removed, and its files go", async () => {
  const { jar, id: userId } = await staff();
  const { id } = await createCreator({ name: `Portrayed ${crypto.randomUUID()}` });
  await createVideo({ creators: [id] });
  const square = (background: string) =>
    sharp({ create: { width: 600, height: 600, channels: 3, background } })
      .jpeg()
      .toBuffer();
  const picture = await square("#a34");
  const page = paths.studioNamePart("creator", id, "portrait");
  const upload = async (bytes: Uint8Array, name = "a.jpg", portraitAlt = "A red square") => {
    const form = new FormData();
    form.set("version", await versionAt(jar, page));
    form.set("portraitAlt", portraitAlt);
    form.set("picture", new Blob([Buffer.from(bytes)], { type: "image/jpeg" }), name);
    return jar.visit(page, {
      ...{ method: "POST", body: form, redirect: "manual" },
      headers: { Origin: site.origin },
    });
  };
  await db.execute(sql`DELETE FROM creator_files WHERE creator_id = ${id}`);
  const none = await upload(Buffer.alloc(0), "");
  expect([none.status, await plain(none)]).toEqual([422, expect.stringMatching(/Please choose/)]);
  expect((await upload(picture)).status).toBe(303);
  const keys = async () => {
    const rows = await db.execute<{ key: string }>(
      sql`SELECT storage_key AS key FROM creator_files WHERE creator_id = ${id} ORDER BY name`,
    );
    return rows.map(({ key }) => key);
  };
  const first = await keys();
  expect(first).toHaveLength(4);
  expect(await plain(await jar.visit(page))).toContain('value="A red square"');
  expect((await visit(paths.creatorFile(id, "portrait-480.webp"))).status).toBe(200);

  for (const [bytes, name] of [
    [Buffer.from("no picture"), "a.jpg"],
    [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "a.svg"],
    [picture.subarray(0, 200), "a.jpg"],
    [Buffer.alloc(5 * 1024 * 1024 + 1), "a.jpg"],
  ] as const) {
    const refused = await upload(bytes, name);
    expect([422, 413]).toContain(refused.status);
    expect(await plain(refused)).toMatch(/Please choose/);
    expect(await keys()).toEqual(first);
  }
  expect((await upload(picture, "a.jpg", "x".repeat(501))).status).toBe(422);
  // Without a picture, only the text is saved, which does not count as one.
  while ((await takePoint("picturesByUser", userId)) === null);
  expect((await upload(picture)).status).toBe(429);
  expect((await upload(Buffer.alloc(0), "", "Red")).status).toBe(303);
  expect(await keys()).toEqual(first);
  await db.delete(rateLimits);
  expect(await plain(await jar.visit(page))).toContain('value="Red"');
  const shown = async () => {
    const [, url = ""] =
      /<img[^>]* src="([^"]*portrait-[^"]*)"/.exec(await jar.visit(page).then(plain)) ?? [];
    const answer = await visit(url);
    return { url, status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()).toString("base64") };
  };
  const earlier = await shown();
  await upload(await square("#3a4"));
  expect(await keys()).not.toEqual(first);
  // Web processes remember for five seconds where the files are.
  await expect.poll(async () => (await shown()).bytes).not.toBe(earlier.bytes);
  const later = await shown();
  expect([earlier.status, later.status, later.url === earlier.url]).toEqual([200, 200, false]);
  expect((await jar.post(page, { version: "" })).status).toBe(303);
  expect(await keys()).toEqual([]);
  const { body } = await jar.visit(`${page}.data`);
  const { value } = await decode((body ?? new Blob().stream()) as ReadableStream<Uint8Array>);
  // The form beside the button keeps what is typed.
  expect(value).toMatchObject({
    "routes/studio.$names.$id.portrait": {
      data: { form: { notice: "The portrait is removed.", isOfOthers: true } },
    },
  });
  const jobs = await db.execute<{ jobs: number }>(sql`
    SELECT count(*)::int AS jobs FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs p USING (id)
    WHERE j.task_identifier = 'delete-creator-files' AND p.payload->>'creatorId' = ${id}`);
  expect(jobs[0]?.jobs).toBeGreaterThanOrEqual(2);
});

test("a merge says what it will do, is made once it is confirmed, and its page leads to the other", async () => {
  const { jar } = await staff();
  const ada = await createCreator({ name: "Ada Twice" });
  const bea = await createCreator({ name: "Ada Once" });
  await createVideo({ creators: [ada.id] });
  await createVideo({ creators: [ada.id, bea.id] });
  const mergeInto = (into: string) => paths.studioNamePart("creator", ada.id, "merge", { into });
  const preview = await plain(await jar.visit(mergeInto("ada once")));
  for (const words of [
    "2 items of “Ada Twice” would move to",
    "1 item with both would keep the earlier credit",
    `<code>${paths.creator(ada.slug)}</code> and all earlier ones would redirect to <code>${paths.creator(bea.slug)}</code>`,
    "“Ada Twice”.",
  ]) {
    expect(preview).toContain(words);
  }
  expect(await plain(await jar.visit(mergeInto("nobody")))).toContain("No creator is called “nobody”.");
  expect(await plain(await jar.visit(mergeInto("Ada Twice")))).toContain(
    "Choose a different name to merge into.",
  );
  const form = { version: "", into: bea.id };
  const target = paths.studioName("creator", bea.id);
  const done = await jar.post(mergeInto("ada once"), form);
  expect([done.status, done.headers.get("location")]).toEqual([303, target]);
  expect(await plain(await jar.visit(target))).toContain("The two creators are merged.");
  const moved = await visit(paths.creator(ada.slug));
  expect([moved.status, moved.headers.get("location")]).toEqual([301, paths.creator(bea.slug)]);
  const old = await jar.visit(paths.studioName("creator", ada.id), { redirect: "manual" });
  expect([old.status, old.headers.get("location")]).toEqual([301, target]);
  // Sent twice, the form leads to the one that is left.
  const again = await jar.post(mergeInto("ada once"), form);
  expect([again.status, again.headers.get("location")]).toEqual([301, target]);
  const { jar: owner } = await staff("owner");
  expect(await plain(await owner.visit(paths.studioAudit({ subject: bea.id })))).toContain(
    "merged “Ada Twice” into “Ada Once”, with 2 items",
  );
});

test("a tag is renamed, merged and deleted, and each earlier address of its lists redirects", async () => {
  const { jar } = await staff();
  await createVideo({ tags: ["Slow dusk", "Evening"] });
  const idOf = async (name: string) => {
    const [row] = await db.execute<{ id: string }>(sql`SELECT id FROM tags WHERE name = ${name}`);
    return row?.id ?? "";
  };
  const dusk = await idOf("Slow dusk");
  const rename = { version: await versionAt(jar, paths.studioName("tag", dusk)), name: "Blue hour" };
  expect((await jar.post(formOf("tag", dusk), { ...rename, name: "evening" })).status).toBe(422);
  expect((await jar.post(formOf("tag", dusk), rename)).status).toBe(303);
  expect((await jar.post(formOf("tag", dusk), { ...rename, name: "Later" })).status).toBe(409);
  const first = await visit("/content/video?tag=slow-dusk");
  expect([first.status, first.headers.get("location")]).toEqual([301, "/content/video?tag=blue-hour"]);
  const merge = { version: "", into: await idOf("Evening") };
  expect((await jar.post(paths.studioNamePart("tag", dusk, "merge"), merge)).status).toBe(303);
  for (const tag of ["slow-dusk", "blue-hour"]) {
    const address = `/content/photoSet?tag=${tag}&sort=title`;
    // The lists of visitors are a second old.
    await expect
      .poll(async () => (await visit(address)).headers.get("location"))
      .toBe("/content/photoSet?tag=evening&sort=title");
  }
  const page = paths.studioNamePart("tag", merge.into, "delete");
  expect(await plain(await jar.visit(page))).toContain("1 item has this tag and would lose it.");
  expect((await jar.post(page, { version: "" })).status).toBe(422);
  expect((await jar.post(page, { version: "", confirm: "yes" })).status).toBe(303);
  expect(await plain(await jar.visit(paths.studioNames("tag")))).toContain("The tag is deleted.");
  expect((await jar.visit(page)).status).toBe(404);
  // The lists of visitors are a second old.
  await expect.poll(async () => (await visit("/content/video?tag=slow-dusk")).status).toBe(200);
});

test("a page says which typed names are new and as what others are saved, and nothing about the rest", async () => {
  const { jar } = await staff();
  await createCreator({ name: "Ines Vale", aliases: ["I. Vale"] });
  await createVideo({ tags: ["Long dusk"] });
  const { id } = await createVideo();
  const path = paths.studioItemPart(id, "credits");
  const save = async (changes: Record<string, string>) => {
    const { version } = await openedPart(id, "credits");
    const form = { version, creators: "", added: "", shoot: "", find: "", ...changes };
    expect((await jar.post(path, form)).headers.get("location")).toBe(path);
    return plain(await jar.visit(path));
  };
  const page = await save({ creators: "i. vale", added: "long DUSK, Dusk+" });
  expect(page).toContain(
    "Credits and tags are saved. “Dusk+” is a new tag. “long DUSK” is saved as “Long dusk”.",
  );
  expect(page).toContain("“i. vale” is saved as “Ines Vale”.");
  expect(page).not.toContain("“Dusk+” is saved");
  const misspelt = await save({ creators: "Inez Vale", added: "Noon", tags: "Dusk+" });
  expect(misspelt).toContain(
    "Credits and tags are saved. “Inez Vale” is a new creator. “Noon” is a new tag.",
  );
  const plainly = await save({ creators: "Ines Vale", tags: "Dusk+" });
  expect(plainly).toContain("Credits and tags are saved.");
  expect(plainly).not.toMatch(/is saved as|is a new/);
});

test("a creator with works is not deleted, and one without is deleted with the address", async () => {
  const { jar } = await staff();
  const { id, slug } = await createCreator({ name: "Leaving" });
  const draft = await createVideo({ creators: [id], status: "draft" });
  const form = { version: "", confirm: "yes" };
  const page = paths.studioNamePart("creator", id, "delete");
  const refused = await jar.post(page, form);
  expect([refused.status, await plain(refused)]).toEqual([
    422,
    expect.stringContaining("is credited on an item"),
  ]);
  await db.execute(sql`DELETE FROM media WHERE id = ${draft.id}`);
  expect((await jar.post(page, { version: "" })).status).toBe(422);
  expect((await jar.post(page, form)).status).toBe(303);
  expect((await jar.visit(paths.creator(slug))).status).toBe(404);
});
