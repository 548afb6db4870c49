import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { findEditable } from "#app/domain/catalog/edit/item/edit-media.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

/** Texts that a column refuses or that no page can show. */
const UNSTORABLE = ["A\u0000complaint", "\u0000", "A bell \u0007 rings"];

test.each(["1e400", "99999999999999999999", "-1", "0", "NaN", "1.5"])(
  "page %s of an item's photos answers with a page of the studio",
  async (photos) => {
    const set = await createPhotoSet({ photos: 1 });
    expect((await (await ownerJar()).visit(paths.studioItem(set.id, { photos }))).status).toBe(200);
  },
);

test.each(UNSTORABLE)("a takedown with the reason %j is refused with the form", async (reason) => {
  const video = await createVideo();
  const jar = await ownerJar();
  const takedown = { section: "publication", intent: "takeDown", reason };
  const refused = await jar.post(paths.studioItem(video.id), takedown);
  expect(refused.status).toBe(422);
  const bulk = { change: "state:takeDown", value: reason, id: video.id };
  expect((await jar.visit(paths.studioBulk(bulk))).status).toBe(200);
  expect((await jar.post(paths.studioBulk(), bulk)).status).toBe(422);
  expect(await statusOf(video.id)).toBe("published");
});

test("a reason of several lines is stored as a browser shows it", async () => {
  const video = await createVideo();
  const form = { section: "publication", intent: "takeDown", reason: "First line\r\nSecond line" };
  expect((await (await ownerJar()).post(paths.studioItem(video.id), form)).status).toBe(303);
  const [row] = await db.execute(sql`SELECT taken_down_reason AS reason FROM media WHERE id = ${video.id}`);
  expect(row).toEqual({ reason: "First line\nSecond line" });
});

test.each([...UNSTORABLE, "'", "a & b | !c <-> :*"])("a search for a shoot by %j answers", async (find) => {
  const video = await createVideo();
  const form = { ...(await opened(video.id, "shoot")), intent: "find", find };
  expect((await (await ownerJar()).post(paths.studioItem(video.id), form)).status).toBe(200);
});

test.each(["0000-01-01", "0001-01-01", "1899-12-31", "9999-12-31"])(
  "%s is refused as a date of an item",
  async (day) => {
    const video = await createVideo({ status: "draft", withFiles: true });
    const jar = await ownerJar();
    const post = (form: Record<string, string>) => jar.post(paths.studioItem(video.id), form);
    const dates = await opened(video.id, "dates");
    expect((await post({ ...dates, producedOn: day, expireAt: "" })).status).toBe(422);
    expect((await post({ ...dates, producedOn: "", expireAt: `${day}T20:00` })).status).toBe(422);
    // The other version of a conflict is sent by the form as well.
    const forged = JSON.stringify({ producedOn: null, expireAt: `${day}T20:00:00.000Z` });
    const theirs = { ...dates, opened: forged, theirs: "expireAt", producedOn: "", expireAt: "" };
    expect((await post(theirs)).status).toBeLessThan(500);
    const plan = await post({ section: "publication", intent: "schedule", publishAt: `${day}T20:00` });
    expect(plan.status).toBe(422);
    const bulk = { change: "publishAt", value: `${day}T20:00`, id: video.id };
    expect((await jar.visit(paths.studioBulk(bulk))).status).toBe(200);
    expect((await jar.post(paths.studioBulk(), bulk)).status).toBe(422);
    expect((await jar.visit(paths.studioAudit({ from: day, to: day }))).status).toBe(200);
    expect(await statusOf(video.id)).toBe("draft");
  },
);

test("no bulk change deletes items or schedules them without a date", async () => {
  const draft = await createVideo({ status: "draft" });
  const jar = await ownerJar();
  for (const change of ["state:delete", "state:schedule"]) {
    const form = { change, value: "", id: draft.id };
    expect((await jar.post(paths.studioBulk(), form)).status).toBe(422);
    expect(await (await jar.visit(paths.studioBulk(form))).text()).toContain("Please choose what to change.");
  }
  expect(await statusOf(draft.id)).toBe("draft");
});

/** The fields that each form of a section has. */
async function opened(id: string, section: "shoot" | "dates"): Promise<Record<string, string>> {
  const item = await findEditable(id);
  return { section, opened: JSON.stringify(item?.values[section]) };
}

async function statusOf(id: string): Promise<unknown> {
  const [row] = await db.execute<{ status: string }>(sql`SELECT status FROM media WHERE id = ${id}`);
  return row?.status;
}

async function ownerJar(): Promise<Jar> {
  const jar = new Jar(site);
  for (const pair of (await signedInCookie((await createMember({ role: "owner" })).id)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return jar;
}
