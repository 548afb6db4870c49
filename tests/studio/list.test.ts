import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { confirmBulk, runBulk } from "#app/domain/catalog/edit/bulk/bulk-changes.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";

const site = await startSite();
afterAll(() => site.stop());

const noor = await createCreator({ name: "Noor Sable" });
const video = await createVideo({ title: "Slow light", creators: [noor.id], tags: ["Dusk"] });
const other = await createVideo({ title: "Salt" });
const cookie = await signedInCookie((await createMember({ role: "editor" })).id);

/** Without the lines between texts that React marks. */
async function read(query: Record<string, string>): Promise<string> {
  const answer = await site.fetch(paths.studioMedia(query), { headers: { cookie } });
  expect(answer.status).toBe(200);
  return (await answer.text()).replaceAll("<!-- -->", "");
}

test("a creator and a tag are found by name among thousands, on a page that does not carry them all", async () => {
  await db.execute(sql`INSERT INTO creators (slug, name, video_count)
    SELECT 'crowd-' || n, 'Crowd ' || n, 9 FROM generate_series(1, 1200) n`);
  await db.execute(sql`INSERT INTO tags (slug, name, video_uses)
    SELECT 'crowded-' || n, 'Crowded ' || n, 9 FROM generate_series(1, 1200) n`);
  const all = await read({});
  expect(all.match(/<option/g)?.length).toBeLessThan(300);
  expect(all).toContain(paths.studioItem(other.id));
  const queries: Record<string, string>[] = [
    { creator: "noor sable" },
    { tag: "dusk" },
    { creator: noor.slug, tag: "Dusk" },
  ];
  for (const query of queries) {
    const page = await read(query);
    expect(page).toContain(paths.studioItem(video.id));
    expect(page).not.toContain(paths.studioItem(other.id));
  }
  expect(await read({ creator: noor.slug })).toMatch(/name="creator"[^>]* value="Noor Sable"/);
});

test("a part of a name leads to the names that have it", async () => {
  const page = await read({ creator: "sable" });
  expect(page).toContain("No creator is called “sable”.");
  expect(page).toContain(`href="${paths.studioMedia({ creator: noor.slug })}"`);
  expect(page).toContain("Nothing matches");
});

test("a row names the most urgent problem of its item and counts the rest, or names all in a list filtered by one", async () => {
  const more = new RegExp(`<a[^>]*href="${paths.studioItem(video.id)}"[^>]*>\\d more</a>`);
  expect(await read({})).toMatch(more);
  expect(await read({ problem: "noProductionDate" })).toContain("The production date is missing.");
  expect(await read({ problem: "noProductionDate" })).not.toMatch(more);
  await db.execute(sql`
    UPDATE media SET status = 'scheduled', publish_problem = 'No files.' WHERE id = ${video.id}`);
  const page = await read({ state: "scheduled" });
  expect(page).toContain("It could not be published on time.");
  expect(page).not.toContain("The production date is missing.");
  expect(page).toMatch(more);
});

test("a problem that a row names leads to the part of the item that solves it", async () => {
  const { id } = await createVideo({ title: "Complete but for one", creators: [noor.id], withFiles: true });
  await db.execute(sql`UPDATE videos SET has_audio = false WHERE media_id = ${id}`);
  const dates = `href="${paths.studioItemPart(id, "dates")}"`;
  const link = new RegExp(`<a[^>]*${dates}[^>]*>The production date is missing.</a>`);
  expect(await read({ q: "complete" })).toMatch(link);
  expect(await read({ problem: "noProductionDate" })).toMatch(link);
});

test("a change of many items is stopped on its page by whoever may make it", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 60; index += 1) ids.push((await createVideo()).id);
  const [maker, publisher] = [
    await createMember({ role: "owner" }),
    await createMember({ role: "publisher" }),
  ];
  const actor = { id: maker.id, name: maker.email, role: "owner" } as const;
  const { id } = await confirmBulk(actor, { ids }, { kind: "state", transition: "hide" });
  const running = paths.studioBulk({ state: "published", running: id ?? "" });
  const show = async (as: string) =>
    (await (await site.fetch(running, { headers: { cookie: as } })).text()).replaceAll("<!-- -->", "");
  const stop = async (as: string) =>
    site.fetch(running, {
      method: "POST",
      headers: { cookie: as, origin: site.origin },
      body: new URLSearchParams({ intent: "stop", running: id ?? "" }),
    });
  expect(await show(cookie)).not.toContain('value="stop"');
  const refused = await stop(cookie);
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining("Your role does not allow this."),
  ]);
  await runBulk(id ?? "", 1);
  const own = await signedInCookie(publisher.id);
  expect(await show(own)).toContain('value="stop"');
  const answer = await stop(own);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, running]);
  const page = await show(own);
  expect(page).toMatch(/\d+ items? changed\./);
  expect(page).toContain(`href="${paths.studioMedia({ state: "published" })}"`);
  expect(page).toContain(`${publisher.email} stopped the change before this item.`);
  expect(page).not.toContain('value="stop"');
});
