import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listMigrations } from "#db/migrations/schema-state.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import type { Jar } from "#tests/support/cookie-jar.ts";
import { runScript } from "#tests/support/process/built-script.ts";
import { HOST_SETTINGS, OWNER, startHostedSite } from "#tests/support/upgrade/hosted-site.ts";
import { makeFirstRelease, type Release } from "#tests/support/upgrade/release.ts";

/** A filled site of 1.0.0-rc.1: tests/upgrade/fixtures/README.md. */
const BACKUP = resolve("tests/upgrade/fixtures/rc1.tar");

let folder: string;
let dataDir: string;
let rc1: Release;
let site: Awaited<ReturnType<typeof startHostedSite>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-rc1-"));
  dataDir = join(folder, "data");
  rc1 = await makeFirstRelease();
  await restore(dataDir, rc1.folder);
  expect(await appliedIn(dataDir)).toEqual(["0000_first_schema"]);
  site = await startHostedSite(dataDir);
}, 300_000);
afterAll(async () => {
  await site?.stop();
  await rc1?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function restore(into: string, cwd?: string): Promise<void> {
  const env = { ...HOST_SETTINGS, DATABASE_URL: "", DATA_DIR: into };
  expect(await runScript("restore", [BACKUP], env, cwd)).toMatchObject({ code: 0, stderr: "" });
}

async function appliedIn(data: string): Promise<string[]> {
  const database = await startEmbedded(data);
  try {
    const migrations = await listMigrations(database.adminUrl);
    return migrations.filter(({ isApplied }) => isApplied).map(({ name }) => name);
  } finally {
    await database.stop();
  }
}

async function allMigrations(): Promise<string[]> {
  const { adminUrl } = await startEmbedded(dataDir);
  return (await listMigrations(adminUrl)).map(({ name }) => name);
}

/** Opens a page that has these words, and returns its markup. */
async function read(jar: Jar, path: string, ...words: string[]): Promise<string> {
  const answer = await jar.visit(path);
  const page = await answer.text();
  const text = textOf(page);
  expect({ path, status: answer.status, missing: words.filter((word) => !text.includes(word)) }).toEqual({
    ...{ path, status: 200, missing: [] },
  });
  return page;
}

/** The text of a page, with the alternative texts of its pictures and the values of its fields. */
function textOf(page: string): string {
  const [shown = ""] = page.split("window.__remixContext", 1);
  const given = [...shown.matchAll(/\s(?:alt|value|label|aria-label)="([^"]*)"/g)].map(([, value]) => value);
  return `${shown.replaceAll(/<!--.*?-->|<[^>]+>/g, "")} ${given.join(" ")}`;
}

/** The address that the page's first link of this kind has. */
function linkIn(page: string, kind: RegExp): string {
  return new RegExp(`"(${kind.source}[^"]*)"`).exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "no such link";
}

test("the start applies every migration, every stored file is whole, and so is the audit log", async () => {
  expect(await appliedIn(dataDir)).toEqual(await allMigrations());
  const env = { ...HOST_SETTINGS, DATABASE_URL: "", DATA_DIR: dataDir };
  expect(await runScript("check-media", ["--hashes"], env)).toMatchObject({ code: 0, stderr: "" });
  const status = await runScript("migrate", ["--status"], env);
  expect(status.stdout).not.toContain("waits");
  const audit = await runScript("audit-verify", [], env);
  expect(audit).toMatchObject({ code: 0, stderr: "" });
});

test("a subscriber signs in, and finds lists, works, favorites, progress and bill as they were", async () => {
  const ada = await site.signIn("active@peony.example");
  await read(ada, "/", "Rosewater", "Resume Slow Water");
  const videos = await read(ada, "/content/video", "Slow Water", "Harbor Lights");
  for (const title of ["Night Train", "The Old Mill"]) expect(textOf(videos)).not.toContain(title);
  const sets = await read(ada, "/content/photoSet", "The Reading Room", "Paper Garden");
  await read(ada, "/creators", "Vesper Quill", "Ines Marlowe", "Tomas Reed");
  for (const [words, title] of [
    ["river", "Slow Water"],
    ["marlowe", "Harbor Lights"],
    ["vee water", "Slow Water"],
    ["night", "Harbor Lights"],
    ["one take", "Slow Water"],
  ] as const) {
    await read(ada, `/content/video?q=${encodeURIComponent(words)}`, title);
  }
  await read(ada, "/content/photoSet?q=vee", "The Reading Room");
  const earlier = await ada.visit("/creators/ines-marlow");
  expect([earlier.status, earlier.headers.get("location")]).toEqual([301, "/creators/ines-marlowe"]);
  await read(ada, "/creators/vesper-quill", "Works with light and", "Vesper at a window", "Slow Water");

  const watch = await read(
    ...[
      ada,
      linkIn(videos, /\/content\/video\/slow-water/),
      "Light on a river",
      "Rain",
      "English",
      "One take",
    ],
  );
  const video = await ada.visit(linkIn(watch, /\/media\/[^"]*\.mp4/));
  expect([video.status, video.headers.get("content-type")]).toEqual([200, "video/mp4"]);
  const set = await read(ada, linkIn(sets, /\/content\/photoSet\/the-reading-room/), "A chair at a window");
  const [photo = ""] = /\/media\/[^" ]+\/photo-3-[^" ]+/.exec(set) ?? [];
  expect((await ada.visit(photo)).status).toBe(200);

  await read(ada, "/user/favorites", "Slow Water", "The Reading Room");
  await read(ada, "/user/favorites?tab=photos", "The Reading Room");
  await read(ada, "/user/history", "Slow Water", "The Reading Room");
  const account = await read(ada, "/user/account", "Ada Active", "$119.00", "31 May 2096", "R-active");
  expect((await ada.visit(linkIn(account, /\/media\/avatars\//))).status).toBe(200);
});

test("others have the access and the bill that they had", async () => {
  const guest = await site.signIn("guest@peony.example");
  const address = linkIn(await read(guest, "/content/video"), /\/content\/video\/slow-water/);
  for (const [name, opens, words] of [
    ["trialing", true, "trial"],
    ["leaving", true, "31 May 2096"],
    ["overdue", false, "$14.99"],
    ["ended", false, "R-ended"],
    ["guest", false, "guest@peony.example"],
  ] as const) {
    const jar = await site.signIn(`${name}@peony.example`);
    const page = await read(jar, address, "Slow Water");
    expect([name, page.includes("<source src=")]).toEqual([name, opens]);
    await read(jar, "/user/account", words);
  }
});

test("the owner finds every item, person, setting and entry, and what is written now counts", async () => {
  const owner = await site.signIn(OWNER);
  const titles = [
    "Slow Water",
    "Harbor Lights",
    "Night Train",
    "The Old Mill",
    "The Reading Room",
    "Paper Garden",
  ];
  await read(owner, "/studio/media", ...titles, "Glass Hours");
  await read(owner, "/studio/media?q=vee", "Night Train");
  await read(owner, "/studio/staff", "editor@peony.example");
  await read(owner, "/studio/audit", "The Old Mill");
  await read(owner, "/studio/settings/alarms", "alarms@peony.example");
  await read(owner, "/about", "We film slowly.");
  await owner.post("/signout", {});
  await read(owner, "/", "Slow films.");

  const ada = await site.signIn("active@peony.example");
  const videos = await read(ada, "/content/video");
  const page = await read(ada, linkIn(videos, /\/content\/video\/harbor-lights/));
  const mediaId = /\/media\/([0-9a-f-]{36})\//.exec(page)?.[1] ?? "";
  expect((await ada.post("/api/favorites", { mediaId, isFavorited: "true" })).status).toBeLessThan(400);
  expect((await ada.post("/api/views", { mediaId, progress: "1" })).status).toBeLessThan(400);
  await read(ada, "/user/favorites", "Harbor Lights");
  await read(ada, "/", "Resume Harbor Lights");
});

test("the present build restores the backup of rc.1 and migrates it", async () => {
  const into = join(folder, "restored");
  await restore(into);
  expect(await appliedIn(into)).toEqual(await allMigrations());
}, 120_000);
