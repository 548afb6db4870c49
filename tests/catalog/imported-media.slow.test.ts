import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { crawl } from "../support/crawl.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";

const PHOTOS = 3;

let folder: string;
let dataDir: string;
let site: Site;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-source-"));
  dataDir = await mkdtemp(join(tmpdir(), "peony-imported-"));
  const encoding = ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=10:duration=2", "-pix_fmt", "yuv420p"];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...encoding, join(folder, "Späte Glut.mkv")]);
  const set = join(folder, "Nordlicht über Wasser");
  await mkdir(set);
  for (let index = 0; index < PHOTOS; index += 1) {
    const picture = sharp({
      create: { width: 900, height: 1_200, channels: 3, background: `rgb(${index * 80}, 60, 90)` },
    });
    await picture.jpeg().toFile(join(set, `${index}.jpg`));
  }
  await runImport("--creator", "Ada Moon");
  // Its first requests share the processors with other tests.
  site = await startSite({ dataDir });
}, 120_000);
async function runImport(...given: string[]): Promise<string> {
  const args = [await builtScript("import-media"), folder, "--publish", "--access", "subscriber", ...given];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  return stdout;
}

afterAll(async () => {
  await site.stop();
  await Promise.all([folder, dataDir].map((one) => rm(one, { recursive: true, force: true })));
});

test("imported media is in the lists, on its pages and as files, for those with access", async () => {
  const { id } = await createMember();
  await subscribe(id);
  const subscriber = await signedInCookie(id);
  const lists = await Promise.all(
    ["/content/video", "/content/photoSet", "/creators", "/content/video?q=spate+glut"].map(async (path) => {
      const answer = await site.fetch(path, { headers: { cookie: subscriber } });
      return answer.text();
    }),
  );
  for (const [index, words] of ["Späte Glut", "Nordlicht über Wasser", "Ada Moon", "Späte Glut"].entries()) {
    expect(lists[index]).toContain(words);
  }

  const { answers, media } = await crawl(site, subscriber);
  expect([...answers.keys()].some((path) => path.startsWith("/content/photoSet/nordlicht-uber-wasser"))).toBe(
    true,
  );
  const paths = [...media];
  const videos = paths.filter((path) => path.endsWith(".mp4"));
  expect(videos.length).toBeGreaterThan(0);
  const photos = new Set(paths.map((path) => /\/photo-\d+/.exec(path)?.[0]).filter(Boolean));
  expect(photos.size).toBe(PHOTOS);
  const status = async (path: string, cookie: string) =>
    (await site.fetch(path, { headers: { cookie } })).status;
  for (const path of paths) expect([path, await status(path, subscriber)]).toEqual([path, 200]);
  const visitor = await adultCookie();
  for (const path of videos) expect([path, await status(path, visitor)]).toEqual([path, 403]);
}, 120_000);

test("a creator has initials until there is a portrait", async () => {
  const cookie = await adultCookie();
  const look = async () => (await site.fetch("/creators?sort=name", { headers: { cookie } })).text();
  expect(await look()).toMatch(/<span class="[^"]*initials[^"]*" aria-hidden="true">AM<\/span>/);

  const portrait = join(dataDir, "ada.png");
  await sharp({ create: { width: 800, height: 800, channels: 3, background: "#306090" } })
    .png()
    .toFile(portrait);
  const refused = runImport("--creator", "Nobody Here", "--portrait", portrait);
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining("no creator is called Nobody Here"),
  });
  await expect(
    runImport("--creator", "Nobody Here", "--portrait", portrait, "--dry-run"),
  ).rejects.toMatchObject({ code: 1 });
  await expect(runImport("--portrait", portrait)).rejects.toMatchObject({ code: 2 });
  await expect(runImport("--creator", "Ada Moon", "--portrait", folder)).rejects.toMatchObject({ code: 1 });
  expect(await runImport("--creator", "Ada Moon", "--portrait", portrait, "--dry-run")).toContain(
    "1 would be",
  );

  for (let times = 0; times < 2; times += 1) {
    expect(await runImport("--creator", "Ada Moon", "--portrait", portrait)).toContain(
      "portrait of Ada Moon",
    );
    const [row] = await db.execute(sql`SELECT portrait_alt AS alt FROM creators`);
    expect(row).toEqual({ alt: times === 0 ? "Ada Moon" : "Ada by the sea" });
    // As the studio does; the next import leaves it as it is.
    await db.execute(sql`UPDATE creators SET portrait_alt = 'Ada by the sea'`);
  }
  // Visitors' lists are cached for a second.
  await expect.poll(look).toContain('alt="Ada by the sea"');
  const [, file = ""] = /src="(\/media\/creators\/[^"]+)"/.exec(await look()) ?? [];
  const answer = await site.fetch(file, { headers: { cookie } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
  // One of the two portraits remains; a job removes the other once nobody remembers where it is.
  const kept = await db.execute(
    sql`SELECT DISTINCT split_part(storage_key, '/', 3) AS version FROM creator_files`,
  );
  const removals = await db.execute(
    sql`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'delete-creator-files'`,
  );
  expect([kept.length, removals.length]).toEqual([1, 1]);
  const entries = await db.execute(sql`SELECT action, count(*)::int AS times FROM audit_log
    WHERE actor = 'media:import' GROUP BY action ORDER BY action`);
  expect(entries).toEqual([
    { action: "creator.portraitChanged", times: 2 },
    { action: "media.imported", times: 2 },
    { action: "media.published", times: 2 },
  ]);
}, 120_000);
