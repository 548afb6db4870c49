import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { editName, openedPart } from "#tests/support/edit-part.ts";
import { createCreator, createVideo, HOST } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

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

test.each([
  ["quotes", ">".repeat(2_500)],
  ["numbered lists", "1. ".repeat(1_600)],
  ["emphasis", "*a _b ".repeat(400) + "_ *".repeat(400)],
])(
  "a description, a biography and the site's texts of thousands of nested %s leave their pages standing",
  async (_, text) => {
    const jar = await ownerJar();
    const creator = await createCreator();
    const video = await createVideo({ creators: [creator.id], title: "Nested" });
    const { version } = await openedPart(video.id, "text");
    const described = { version, title: "Nested", description: text };
    expect((await jar.post(paths.studioItemPart(video.id, "text"), described)).status).toBe(303);
    const edited = await editName(HOST, "creator", creator.id, { bio: text });
    expect(edited).toMatchObject({ saved: true });
    await db.execute(sql`INSERT INTO site_settings (name, value) VALUES ('about', ${JSON.stringify(text)}::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
    const pages = [paths.media("video", video.slug), paths.creator(creator.slug), paths.about()];
    for (const page of pages) await expect.poll(async () => (await jar.visit(page)).status).toBe(200);
  },
);

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
