import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeCursor } from "#app/domain/catalog/lists/paging.server.ts";
import { changeRole } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { favorites } from "#db/schema/favorites.ts";
import { views } from "#db/schema/viewing.ts";
import { digestTables } from "../support/database/digest.ts";
import { createCreator, createPhotoSet, createVideo } from "../support/media.ts";
import { createMember, signedInCookie } from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";
import { readSources } from "../support/sources/imports.ts";

const STUDIO_FILTERS = ["q", "state", "type", "creator", "tag", "access", "problem", "sort", "direction"];
/** Every parameter that filters, sorts or pages a list, by route. */
const LISTS: Record<string, { paths: string[]; parameters: string[] }> = {
  "routes/content.$type._index": {
    paths: [paths.list("video"), paths.list("photoSet")],
    parameters: [
      "q",
      "creator",
      "tag",
      "length",
      "access",
      "seen",
      "sort",
      "exact",
      "typed",
      "after",
      "before",
    ],
  },
  "routes/content.photoSet.$slug._index": { paths: [], parameters: ["page"] },
  "routes/creators._index": { paths: [paths.creators()], parameters: ["q", "sort", "after", "before"] },
  "routes/creators.$slug": { paths: [], parameters: ["tab", "after", "before"] },
  "routes/user.favorites": { paths: [paths.favorites()], parameters: ["q", "type", "sort", "page"] },
  "routes/user.history": { paths: [paths.history()], parameters: ["after"] },
  "routes/studio.audit": {
    paths: [paths.studioAudit()],
    parameters: ["actor", "action", "subject", "from", "to", "after", "before"],
  },
  "routes/studio.media._index": {
    paths: [paths.studioMedia()],
    parameters: [...STUDIO_FILTERS, "after", "before"],
  },
  "routes/studio.media.$id": { paths: [], parameters: ["photos", "saved"] },
  "routes/studio.media_.bulk": {
    paths: [
      paths.studioBulk({ change: "access:free", which: "all" }),
      paths.studioBulk({ change: "addTag", value: "Silk", which: "all" }),
    ],
    parameters: ["id", "which", "change", "value", ...STUDIO_FILTERS],
  },
  "routes/studio.creators._index": {
    paths: [paths.studioCreators()],
    parameters: ["q", "sort", "after", "before", "saved"],
  },
  "routes/studio.tags._index": {
    paths: [paths.studioTags()],
    parameters: ["q", "sort", "after", "before", "saved"],
  },
};
/** The query of these routes is a text to show again, a return address, or a secret to compare. */
const NO_LISTS = [
  "cancel",
  "content.video.$slug",
  "no-cookies",
  "enter",
  "keep-account",
  "media.$",
  "media.$id.master[.]m3u8",
  "media.$id.photos[.]zip",
  "signin",
  "signin_.code",
  "signin_.verify",
  "studio.creators.$id",
  "studio.names.merge",
  "studio.settings",
  "studio.staff",
  "studio.tags.$id",
  "studio.upload",
  "subscribe",
  "subscribe_.return",
  "user.account",
  "user.account_.subscription",
  "user.confirm",
  "withdraw",
].map((name) => `routes/${name}`);
/** A route reads its query itself, or has the page of a grid or the signed link of an email read from it. */
const READS_QUERY = /searchParams|gridPage\(|subscriptionLink\(/;
/** Values that would add or remove rows, wait or fail if they became part of a statement. */
const ATTACKS = [
  "'",
  '"',
  "\\",
  "' OR '1'='1",
  "') OR 1=1 --",
  "1; DELETE FROM media; --",
  "' UNION SELECT email FROM users --",
  "$1",
  "%' OR title LIKE '%",
  "newest; DROP TABLE views",
  "title ASC, (SELECT pg_sleep(3))",
  "'||(SELECT pg_sleep(3))||'",
  "\u0000",
  "ʼ OR 1=1",
  "-1",
  "99999999999999999999",
  "NaN",
  "{}",
  "a & b | !c <-> :*",
];
/** Values in the shape of a cursor that no column contains. */
const CURSORS = [
  "2026-99-99 99:99:99+00",
  "2026-01-01 00:00:00+00'; DELETE FROM media; --",
  "' OR 1=1 --",
  "1e400",
  "",
].map((value) => encodeCursor([value, "00000000-0000-4000-8000-000000000000"]));

/** Each value is tried in every list, and some in each parameter. */
const PARTS = 3;

let site: Site;
let cookie: string;
let creatorId: string;

beforeAll(async () => {
  const { id: userId } = await createMember({ role: "owner" });
  await changeRole({ id: null, name: "people:role", role: "owner" }, (await createMember()).email, "editor");
  const ann = await createCreator({ name: "Ann" });
  for (const title of ["Silk", "Linen"]) {
    const given = { title, creators: [ann.id], tags: ["Slow light"] };
    for (const { id: mediaId } of [await createVideo(given), await createPhotoSet(given)]) {
      await db.insert(views).values({ userId, mediaId, progress: 1 });
      await db.insert(favorites).values({ userId, mediaId });
    }
  }
  LISTS["routes/creators.$slug"]?.paths.push(paths.creator(ann.slug));
  creatorId = ann.id;
  const [set] = await db
    .select({ id: media.id, slug: media.slug })
    .from(media)
    .where(eq(media.type, "photoSet"));
  LISTS["routes/content.photoSet.$slug._index"]?.paths.push(paths.media("photoSet", set?.slug ?? ""));
  LISTS["routes/studio.media.$id"]?.paths.push(paths.studioItem(set?.id ?? ""));
  cookie = await signedInCookie(userId);
  site = await startSite();
});
afterAll(() => site.stop());

test("this file tests every page that reads a list from its query", () => {
  const readers = readSources(["app/routes"])
    .filter(({ text }) => READS_QUERY.test(text))
    .map(({ fileName }) => fileName.replace(/^app\/(.*)\.tsx?$/, "$1"));
  expect(readers.sort()).toEqual([...Object.keys(LISTS), ...NO_LISTS].sort());
});

test.each(Object.keys(LISTS))(
  "no parameter of %s becomes part of a statement",
  async (route) => {
    const { paths: addresses = [], parameters = [] } = LISTS[route] ?? {};
    const before = await digestContents();
    for (const address of addresses) {
      const all = await countEntries(address);
      expect(all).toBeGreaterThan(0);
      for (const [index, parameter] of parameters.entries()) {
        for (const value of valuesFor(parameter, index)) {
          const path = withParameters(address, {
            [parameter]: value,
            ...(parameter === "q" ? { exact: "1" } : {}),
          });
          const count = await countEntries(path);
          // An unknown filter lists nothing or is ignored; an unknown cursor starts again or ends the list.
          expect([0, all], path).toContain(count);
        }
      }
    }
    expect(await digestContents()).toEqual(before);
  },
  120_000,
);

test.each(ATTACKS)("no bulk change accepts the id %j", async (running) => {
  await db.delete(rateLimits);
  const answer = await site.fetch(paths.studioBulk({ running }), { headers: { cookie } });
  expect(answer.status).toBe(404);
});

test.each(ATTACKS)("a creator cannot be merged into %j, and no others are merged", async (attack) => {
  await db.delete(rateLimits);
  const before = await digestContents();
  const read = async (query: Record<string, string>) =>
    (await site.fetch(paths.studioMerge(query), { headers: { cookie } })).status;
  expect(await read({ kind: "creator", from: creatorId, into: attack })).toBe(200);
  expect(await read({ kind: "creator", from: attack, into: "Ann" })).toBe(404);
  expect(await read({ kind: attack, from: creatorId, into: "Ann" })).toBe(404);
  expect(await digestContents()).toEqual(before);
});

function valuesFor(parameter: string, index: number): string[] {
  const values = ["after", "before"].includes(parameter) ? [...ATTACKS, ...CURSORS] : ATTACKS;
  return values.filter((_, at) => at % PARTS === index % PARTS);
}

/** In place of those that the address has already. */
function withParameters(address: string, parameters: Record<string, string>): string {
  const [path, query] = address.split("?");
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) all.set(name, value);
  return `${path}?${all}`;
}

/** Cards, entries of the log, rows and photos of the studio, items of a change, and names. */
const ENTRIES =
  /<article|<li id="entry-|aria-label="Select |name="photo" value=|<li><a [^>]*href="\/studio\/media\/[0-9a-f-]{36}"|<h2[^>]*><a [^>]*href="\/studio\/(?:creators|tags)\//g;

/** The number of entries on the list; fails on any response but the page itself. */
async function countEntries(path: string): Promise<number> {
  await db.delete(rateLimits);
  const answer = await site.fetch(path, { headers: { cookie } });
  expect(answer.status, path).toBe(200);
  return (await answer.text()).match(ENTRIES)?.length ?? 0;
}

/** Visits and limits are counted with every request. */
async function digestContents() {
  const { "public.rate_limits": _, "public.users": __, ...digest } = await digestTables();
  return digest;
}
