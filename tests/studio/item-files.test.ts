import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

/** An editor's browser, without JavaScript. */
async function editor() {
  const member = await createMember({ role: "editor" });
  const jar = new Jar(site);
  for (const pair of (await signedInCookie(member.id)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return { jar, ...member };
}

function form(fields: [name: string, value: string | File][]): FormData | URLSearchParams {
  if (fields.every(([, value]) => typeof value === "string")) {
    return new URLSearchParams(fields as [string, string][]);
  }
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

function send(jar: Jar, path: string, fields: [name: string, value: string | File][]): Promise<Response> {
  return jar.visit(path, { method: "POST", body: form(fields), headers: { Origin: site.origin } });
}

const textOf = (html: string) => html.replaceAll(/<!--.*?-->/g, "");
const fieldIn = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

async function chaptersOf(id: string): Promise<unknown> {
  const [row] = await db.execute<{ markers: unknown }>(
    sql`SELECT markers FROM videos WHERE media_id = ${id}`,
  );
  return row?.markers;
}

test("chapters are saved as rows of time and title, and a row without a time keeps what was typed", async () => {
  const { jar } = await editor();
  const { id } = await createVideo({ durationSeconds: 100 });
  const path = paths.studioItemPart(id, "chapters");
  const version = fieldIn(await (await jar.visit(path)).text(), "version");
  const rows = (...typed: [time: string, title: string][]) => [
    ["version", version] as [string, string],
    ...typed.flatMap(([time, title]): [string, string][] => [
      ["chapters", time],
      ["titles", title],
    ]),
  ];
  const refused = await send(jar, path, rows(["", ""], ["soon", "Later"], ["0:05", "Early"], ["", ""]));
  const page = textOf(await refused.text());
  expect(refused.status).toBe(422);
  expect(page).toContain("Chapter 2 needs a time such as");
  expect(page).toMatch(/value="soon".*value="Later".*value="0:05".*value="Early"/);
  expect(await chaptersOf(id)).toEqual([]);
  const more = textOf(await (await send(jar, path, [...rows(["0:05", "Early"]), ["intent", "row"]])).text());
  expect(more).toContain("Title of chapter 2");
  expect(await chaptersOf(id)).toEqual([]);

  const saved = await send(jar, path, rows(["0:30.5", "Late"], ["", ""], ["0:05", "Early"]));
  expect([saved.status, saved.headers.get("location")]).toEqual([303, path]);
  const chapters = [
    { atSeconds: 5, title: "Early" },
    { atSeconds: 30.5, title: "Late" },
  ];
  expect(await chaptersOf(id)).toEqual(chapters);
  expect(await (await jar.visit(path)).text()).toContain("The chapters are saved.");
  expect(await (await jar.visit(path)).text()).not.toContain("The chapters are saved.");
});

test("chapters that somebody else has saved are shown beside one's own, and an old sign-in saves none", async () => {
  const [{ jar, id: userId }, other] = [await editor(), await editor()];
  const { id } = await createVideo({ durationSeconds: 100 });
  const path = paths.studioItemPart(id, "chapters");
  const version = fieldIn(await (await jar.visit(path)).text(), "version");
  const mine = (opened: string): [string, string][] => [
    ["version", opened],
    ["chapters", "0:10"],
    ["titles", "Mine"],
  ];
  const theirs: [string, string][] = [
    ["version", version],
    ["chapters", "0:20"],
    ["titles", "Theirs"],
  ];
  expect((await send(other.jar, path, theirs)).status).toBe(303);
  const refused = await send(jar, path, mine(version));
  const page = textOf(await refused.text());
  expect(refused.status).toBe(409);
  expect(page).toContain(other.email);
  expect(page).toContain("0:20 Theirs");
  expect(page).toContain('value="Mine"');
  expect(page).toContain("Save mine");

  await letSignInGrowOld(userId, "2 days");
  const old = await send(jar, path, mine(fieldIn(page, "version")));
  expect(old.status).toBe(401);
  expect(await old.text()).toContain('value="Mine"');
  expect(await chaptersOf(id)).toEqual([{ atSeconds: 20, title: "Theirs" }]);
});

test("an item without a part leads to its overview", async () => {
  const { jar } = await editor();
  const set = await createPhotoSet();
  for (const part of ["chapters"]) {
    const answer = await jar.visit(paths.studioItemPart(set.id, part));
    expect([answer.status, answer.headers.get("location")]).toEqual([302, paths.studioItem(set.id)]);
  }
});
