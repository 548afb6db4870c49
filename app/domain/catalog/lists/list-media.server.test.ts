import { expect, test } from "vitest";
import { createCreator, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { fc } from "#tests/support/seed.ts";
import { listCreators } from "../creators/creators.server.ts";
import { changeState } from "../edit/states/transitions.server.ts";
import { parseFilters, SORTS } from "./list-filters.ts";
import { listMedia } from "./list-media.server.ts";
import { PAGE_SIZE } from "./paging.server.ts";

const filters = (query = "") => parseFilters(new URLSearchParams(query));
const titles = async (query: string) =>
  (await listMedia("video", filters(query))).rows.map((row) => row.title);

const VISITOR = { isAdult: true, user: null, subscription: null };
const ann = await createCreator({ name: "Ánn Vale", aliases: ["Nightjar"] });
const at = new Date(Date.now() - 3_600_000);
for (let index = 0; index < 60; index += 1) {
  await createPhotoSet({ title: `Same ${index % 3}`, photos: 1, publishAt: at, playCount: index % 2 });
}
await createVideo({ title: "Silk", durationSeconds: 60, creators: [ann.id], access: "free", publishAt: at });
await createVideo({ title: "Glass Rivér", durationSeconds: 600, tags: ["Slow light"], description: "amber" });
await createVideo({ title: "Zenith", durationSeconds: 3000, access: "member", playCount: 9 });
await createVideo({ title: "Hidden draft", status: "draft" });
await createVideo({ title: "Hidden later", publishAt: new Date(Date.now() + 60_000) });
await createVideo({ title: "Hidden gone", status: "takenDown" });
await createVideo({ title: "Hidden old", expireAt: new Date(Date.now() - 1000) });

test.each(SORTS)(
  "sorted by %s, pages have no gap and no repeat under equal keys, both ways",
  async (sort) => {
    const forward: string[][] = [];
    let page = await listMedia("photoSet", filters(`sort=${sort}`));
    expect(page.previous).toBeNull();
    forward.push(page.rows.map((row) => row.id));
    while (page.next) {
      page = await listMedia("photoSet", filters(`sort=${sort}`), { after: page.next, before: null });
      forward.push(page.rows.map((row) => row.id));
    }
    expect(forward.map((ids) => ids.length)).toEqual([PAGE_SIZE, PAGE_SIZE, 12]);
    expect(new Set(forward.flat()).size).toBe(60);
    const backward = [page.rows.map((row) => row.id)];
    while (page.previous) {
      page = await listMedia("photoSet", filters(`sort=${sort}`), { after: null, before: page.previous });
      backward.unshift(page.rows.map((row) => row.id));
    }
    expect(backward).toEqual(forward);
  },
);

test("search covers titles, names, aliases, tags and descriptions, with or without accents", async () => {
  expect(await titles("q=river")).toEqual(["Glass Rivér"]);
  expect(await titles("q=ANN")).toEqual(["Silk"]);
  expect(await titles("q=nightjar")).toEqual(["Silk"]);
  expect(await titles("q=slow")).toEqual(["Glass Rivér"]);
  expect(await titles("q=amber")).toEqual(["Glass Rivér"]);
  expect(await titles("q=hidden")).toEqual([]);
});

test("a forged cursor with an impossible date or a fractional number of views counts as the first page", async () => {
  for (const [sort, value] of [
    ["newest", "2026-02-30 00:00:00+00"],
    ["oldest", "2026-13-45 99:99:99+00"],
    ["newest", "2026-01-01 00:00:00+99"],
    ["most-watched", "12.5"],
    ["longest", "12.5.5"],
  ]) {
    const filters = parseFilters(new URLSearchParams({ sort: sort ?? "" }));
    const after = Buffer.from(JSON.stringify([value, ann.id])).toString("base64url");
    expect(await listMedia("video", filters, { after, before: null })).toEqual(
      await listMedia("video", filters),
    );
  }
});

test("no search, filter or cursor that people can type breaks a list", async () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom("%%%%", "'", '"', "\0", "x".repeat(10_000), "\ud800", "a & !"),
  );
  const query = fc.record({ q: text, creator: text, tag: text, sort: text });
  await fc.assert(
    fc.asyncProperty(query, text, async (given, cursor) => {
      const page = await listMedia("video", filters(new URLSearchParams(given).toString()), {
        after: Buffer.from(JSON.stringify([cursor, ann.id])).toString("base64url"),
        before: cursor,
      });
      expect(page.rows.length).toBeLessThanOrEqual(PAGE_SIZE);
    }),
    { numRuns: 100 },
  );
});

test("a misspelt word is corrected to a word of live media, and a known word is not changed", async () => {
  const corrected = async (search: string) =>
    (await listMedia("video", filters(new URLSearchParams({ q: search }).toString()))).corrected;
  expect(await corrected("zenih")).toBe("zenith");
  expect(await corrected("glas rivver")).toBe("glass river");
  expect(await corrected("slik rviér")).toBe("silk river");
  expect(await corrected("iSlk")).toBe("silk");
  expect(await corrected("constructor slik")).toBe("constructor silk");
  expect(await corrected("amber")).toBeNull();
  expect(await corrected("qqqqxxxx")).toBeNull();
  expect(await corrected("hiden")).toBeNull();
  expect(await corrected("ihdden")).toBeNull();
  expect((await listMedia("video", filters("q=zenih&exact=1"))).corrected).toBeNull();
});

test("a misspelt name, alias or tag is corrected, but never to one that only hidden media have", async () => {
  const corrected = async (search: string) =>
    (await listMedia("video", filters(new URLSearchParams({ q: search }).toString()))).corrected;
  expect(await corrected("nigthjar")).toBe("nightjar");
  expect(await corrected("vael")).toBe("vale");
  expect(await corrected("smokee")).toBeNull();
  const { id } = await createCreator({ name: "Smoke", aliases: ["Marlowe"] });
  const { id: draft } = await createVideo({ creators: [id], tags: ["Cinder"], status: "draft" });
  for (const word of ["smokee", "marolwe", "cinedr"]) expect(await corrected(word)).toBeNull();
  await changeState(HOST, draft, "publish");
  for (const [word, better] of [
    ["smokee", "smoke"],
    ["marolwe", "marlowe"],
    ["cinedr", "cinder"],
  ] as const) {
    expect(await corrected(word)).toBe(better);
  }
  await changeState(HOST, draft, "takeDown", { reason: "A complaint" });
  for (const word of ["smokee", "marolwe", "cinedr"]) expect(await corrected(word)).toBeNull();
});

test("creators are found by name and alias, in pages", async () => {
  const names = async (q: string) =>
    (await listCreators(VISITOR, { q, sort: "name", after: null, before: null })).creators.map(
      ({ name }) => name,
    );
  expect(await names("ann vale")).toEqual(["Ánn Vale"]);
  expect(await names("nightjr")).toEqual(["Ánn Vale"]);
  expect(await names("%")).toEqual([]);
});
