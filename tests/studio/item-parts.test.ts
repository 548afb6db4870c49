import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Role } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { failEncoding } from "#tests/support/encoding.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

const CHANGES = {
  text: { title: "Other" },
  credits: { added: "Other" },
  dates: { producedOn: "2026-05-31" },
  access: { access: "free" },
};
const PARTS = Object.keys(CHANGES) as (keyof typeof CHANGES)[];

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { TIME_ZONE: "Europe/Berlin" } });
});
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

async function signedIn(role: Role): Promise<{ jar: Jar; email: string }> {
  const { id, email } = await createMember({ role });
  const jar = new Jar(site);
  for (const pair of (await signedInCookie(id)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return { jar, email };
}

const plain = async (answer: Response) => (await answer.text()).replaceAll("<!-- -->", "");
const stored = async (id: string) => (await db.select().from(media).where(eq(media.id, id)))[0];

/** What a browser would send of the part's form, for fields with one value each. */
function formIn(page: string): Record<string, string> {
  const html = /<form[^>]*id="(?:text|credits|dates|access)-form".*?<\/form>/s.exec(page)?.[0] ?? "";
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  const inputs = [...html.matchAll(/<input[^>]*>/g)].flatMap(([tag]) => {
    const name = attribute(tag, "name");
    const isOff = /type="(?:checkbox|radio)"/.test(tag) && !/ checked/.test(tag);
    return name === undefined || isOff ? [] : [[name, attribute(tag, "value") ?? ""]];
  });
  const areas = [...html.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^<]*)/g)].map(([, ...pair]) => pair);
  const chosen = /<option[^>]* selected[^>]*>/.exec(html)?.[0] ?? "";
  const selects = [...html.matchAll(/<select[^>]* name="([^"]*)"/g)].map(([, name]) => [
    name,
    attribute(chosen, "value") ?? "",
  ]);
  return Object.fromEntries([...inputs, ...areas, ...selects]);
}

async function opened(jar: Jar, id: string, part: keyof typeof CHANGES): Promise<Record<string, string>> {
  return formIn(await (await jar.visit(paths.studioItemPart(id, part))).text());
}

test("“Save and next draft” leads to the next newer draft at the same part, and to the list after the newest one", async () => {
  const { jar } = await signedIn("editor");
  const drafts = [
    await createVideo({ status: "draft" }),
    await createVideo({ status: "draft" }),
    await createVideo({ status: "draft" }),
  ].map(({ id }) => id);
  const saveAt = async (part: keyof typeof CHANGES, id = "") => {
    const answer = await jar.post(paths.studioItemPart(id, part), {
      ...(await opened(jar, id, part)),
      intent: "next",
    });
    return [answer.status, answer.headers.get("location")];
  };
  const [first, second, third] = drafts;
  expect(await saveAt("dates", first)).toEqual([303, paths.studioItemPart(second ?? "", "dates")]);
  expect(await saveAt("text", second)).toEqual([303, paths.studioItemPart(third ?? "", "text")]);
  expect(await plain(await jar.visit(paths.studioItemPart(third ?? "", "text")))).toMatch(
    /The previous draft, “[^”]+”, is saved\./,
  );
  const list = paths.studioMedia({ state: "draft" });
  expect(await saveAt("access", third)).toEqual([303, list]);
  expect(await plain(await jar.visit(list))).toMatch(
    /” is saved\. There is no newer draft to continue with\./,
  );
});

test("a draft and an item that has just been published lead to the next newer draft, and other items do not", async () => {
  const { jar } = await signedIn("editor");
  const day = 24 * 3_600_000;
  const items = [
    await createVideo({ status: "draft" }),
    await createVideo({ publishAt: new Date() }),
    await createVideo({ publishAt: new Date(Date.now() - day) }),
  ];
  await createVideo({ status: "draft" });
  const leads = [];
  for (const { id } of items) leads.push(await plain(await jar.visit(paths.studioItem(id))));
  expect(leads.map((page) => page.includes("Next newer draft (1 left)"))).toEqual([true, true, false]);
});

test("the menu of an item says first how its encoding stands", async () => {
  const { jar } = await signedIn("editor");
  const { id } = await createVideo();
  const menu = async () => plain(await jar.visit(paths.studioItem(id)));
  expect(await menu()).toContain("No originals");
  await failEncoding(id);
  expect(await menu()).toContain("Encoding failed");
  await db.execute(sql`UPDATE media_work SET state = 'done' WHERE media_id = ${id}`);
  expect(await menu()).toContain("Encoded");
  await db.execute(sql`UPDATE media_work SET state = 'running', percent = 40 WHERE media_id = ${id}`);
  expect(await menu()).toContain("Encoding 40% done");
});

test("a save says once that it was saved, and only on its own page", async () => {
  const { jar } = await signedIn("editor");
  const { id } = await createVideo({ title: "Silk" });
  const page = paths.studioItemPart(id, "text");
  const saved = await jar.post(page, { ...(await opened(jar, id, "text")), title: "Silk and smoke" });
  expect([saved.status, saved.headers.get("location")]).toEqual([303, page]);
  const { id: other } = await createVideo();
  expect(await plain(await jar.visit(paths.studioItemPart(other, "text")))).not.toContain("are saved.");
  expect(await plain(await jar.visit(page))).toContain("Title and description are saved.");
  const again = await plain(await jar.visit(page));
  expect(again).toContain('value="Silk and smoke"');
  expect(again).not.toContain("are saved.");
});

test("the second of two editors sees who saved when and what, and “Save mine” saves", async () => {
  const [ann, bob] = [await signedIn("editor"), await signedIn("editor")];
  const { id } = await createVideo({ title: "Silk" });
  const page = paths.studioItemPart(id, "text");
  const form = await opened(bob.jar, id, "text");
  expect((await ann.jar.post(page, { ...form, title: "Hers" })).status).toBe(303);
  const refused = await bob.jar.post(page, { ...form, title: "His" });
  const html = await plain(refused);
  expect(refused.status).toBe(409);
  expect(html).toMatch(
    new RegExp(`The last edit is by ${ann.email}, on \\w+, \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d`),
  );
  expect(html).toContain("<dd>Hers</dd>");
  expect(html).toContain("Save mine");
  const mine = formIn(html);
  expect(mine).toMatchObject({ title: "His" });
  expect(await stored(id)).toMatchObject({ title: "Hers" });
  expect((await bob.jar.post(page, mine)).status).toBe(303);
  expect(await stored(id)).toMatchObject({ title: "His" });
});

test.each([
  ["a wrong value", { title: "" }, 422],
  ["a look", { intent: "preview" }, 200],
])(
  "a form that comes back after %s still notices what others have saved since it was opened",
  async (_, sent, status) => {
    const [ann, bob] = [await signedIn("editor"), await signedIn("editor")];
    const { id } = await createVideo({ title: "Silk" });
    const page = paths.studioItemPart(id, "text");
    const form = await opened(bob.jar, id, "text");
    expect((await ann.jar.post(page, { ...form, title: "Hers" })).status).toBe(303);
    const answer = await bob.jar.post(page, { ...form, ...sent });
    expect(answer.status).toBe(status);
    const again = { ...formIn(await answer.text()), title: "His" };
    expect((await bob.jar.post(page, again)).status).toBe(409);
    expect(await stored(id)).toMatchObject({ title: "Hers" });
  },
);

test("“Preview” shows a description, whatever else is wrong with the form", async () => {
  const { jar } = await signedIn("editor");
  const { id } = await createVideo({ title: "Silk" });
  const page = paths.studioItemPart(id, "text");
  const form = await opened(jar, id, "text");
  const description = `About **silk**${" and smoke".repeat(1_000)}`;
  const look = { ...form, title: "", description, intent: "preview" };
  const answer = await jar.post(page, look);
  const html = await plain(answer);
  expect(answer.status).toBe(200);
  expect(html).toContain("<strong>silk</strong>");
  expect(html).not.toContain("Nothing was saved.");
  expect(html).toContain(`${description}</textarea>`);
  expect((await jar.post(page, { ...look, other: "field" })).status).toBe(422);
});

test.each(["2031-10-26T00:30:00.000Z", "2031-10-26T01:30:00.000Z"])(
  "the stored end %s, one of two equal hours when clocks go back, stays when only the production date is typed",
  async (expireAt) => {
    const { jar } = await signedIn("publisher");
    const { id } = await createVideo({ expireAt: new Date(expireAt) });
    const form = await opened(jar, id, "dates");
    expect(form).toMatchObject({ expireAt: "2031-10-26T02:30", timeZone: "Europe/Berlin" });
    const page = paths.studioItemPart(id, "dates");
    expect((await jar.post(page, { ...form, producedOn: "2026-05-31" })).status).toBe(303);
    expect(await stored(id)).toMatchObject({ producedOn: "2026-05-31", expireAt: new Date(expireAt) });
  },
);

test("an editor cannot change the expiry of what is public, and saves the production date", async () => {
  const { jar } = await signedIn("editor");
  const { id } = await createVideo({ expireAt: new Date("2031-05-31T10:00:00Z") });
  const page = paths.studioItemPart(id, "dates");
  const before = await stored(id);
  const form = await opened(jar, id, "dates");
  expect(form).not.toHaveProperty("expireAt");
  for (const expireAt of ["", "2032-05-31T12:00", "2030-05-31T12:00"]) {
    const refused = await jar.post(page, { ...form, expireAt });
    expect(refused.status).toBe(422);
    expect(await plain(refused)).toContain("Your role does not allow you to change the expiry date.");
    expect(await stored(id)).toEqual(before);
  }
  expect((await jar.post(page, { ...form, producedOn: "2026-05-31" })).status).toBe(303);
  expect(await stored(id)).toMatchObject({ producedOn: "2026-05-31", expireAt: before?.expireAt });
});

test("an item that was found for the shoot stays chosen when the form is refused", async () => {
  const { jar } = await signedIn("editor");
  const [{ id }, other] = [await createVideo(), await createVideo()];
  const form = { ...(await opened(jar, id, "credits")), shoot: other.id, added: "x".repeat(101) };
  const refused = await jar.post(paths.studioItemPart(id, "credits"), form);
  expect(refused.status).toBe(422);
  expect(formIn(await refused.text())).toMatchObject({ shoot: other.id });
});

test.each(PARTS)(
  "the form of %s with a field too many or the version of another page changes nothing",
  async (part) => {
    const { jar } = await signedIn("owner");
    const { id } = await createVideo({ title: "Silk" });
    const page = paths.studioItemPart(id, part);
    const form = await opened(jar, id, part);
    const changed: Record<string, string> = { ...form, ...CHANGES[part] };
    const before = await stored(id);
    const unknown = await jar.post(page, { ...changed, status: "published" });
    expect([unknown.status, await plain(unknown)]).toEqual([
      422,
      expect.stringContaining("The form does not match this page."),
    ]);
    expect((await jar.post(page, { ...changed, version: "x".repeat(65) })).status).toBe(422);
    const { version: _, ...without } = changed;
    expect((await jar.post(page, without)).status).toBe(422);
    for (const version of ["", "another", "another.0"]) {
      const refused = await jar.post(page, { ...changed, version });
      expect([refused.status, await plain(refused)]).toEqual([
        409,
        expect.stringContaining("This has changed since you opened it."),
      ]);
    }
    expect(await stored(id)).toEqual(before);
    expect((await jar.post(page, changed)).status).toBe(303);
  },
);

test.each(PARTS)(
  "%s of a deleted item leads to its overview, and of an unknown one to nothing",
  async (part) => {
    const { jar } = await signedIn("owner");
    const { id } = await createVideo();
    const form = { ...(await opened(jar, id, part)), ...CHANGES[part] };
    await db.execute(sql`UPDATE media SET status = 'deleted' WHERE id = ${id}`);
    const before = await stored(id);
    const page = paths.studioItemPart(id, part);
    for (const answer of [await jar.visit(page), await jar.post(page, form)]) {
      expect([answer.status, answer.headers.get("location")]).toEqual([302, paths.studioItem(id)]);
    }
    expect(await stored(id)).toEqual(before);
    for (const unknown of [randomUUID(), "nothing"]) {
      const other = paths.studioItemPart(unknown, part);
      expect([(await jar.visit(other)).status, (await jar.post(other, form)).status]).toEqual([404, 422]);
    }
  },
);

test.each(PARTS)("a member finds nothing at %s of an item", async (part) => {
  const [{ jar }, owner] = [await signedIn("member"), await signedIn("owner")];
  const { id } = await createVideo();
  const form = await opened(owner.jar, id, part);
  const page = paths.studioItemPart(id, part);
  const before = await stored(id);
  const changed = { ...form, ...CHANGES[part] };
  expect([(await jar.visit(page)).status, (await jar.post(page, changed)).status]).toEqual([404, 404]);
  expect(await stored(id)).toEqual(before);
});
