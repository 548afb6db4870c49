import { mkdirSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { importLines } from "../support/import-folder.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-edges-"));
  await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
});

/** `meanwhile` runs after each result. */
const importAll = (meanwhile?: () => void) => importLines(folder, { meanwhile });

async function write(path: string, text: string) {
  await writeFile(join(folder, path), text);
}

/** Creates a folder with one picture; each hue gives a different one. */
async function set(name: string, hue: string) {
  await mkdir(join(folder, name));
  await sharp({ create: { width: 40, height: 50, channels: 3, background: hue } })
    .jpeg()
    .toFile(join(folder, name, "1.jpg"));
}

test("a file that vanishes or becomes a folder during the import is refused by name, and the rest continues", async () => {
  for (const [index, name] of ["a", "b", "c", "d"].entries()) await set(name, `#${index}04060`);
  await write("e.mp4", "not a video, and soon not there");
  const lines = await importAll(() => {
    rmSync(join(folder, "b"), { recursive: true, force: true });
    rmSync(join(folder, "c", "1.jpg"), { recursive: true, force: true });
    mkdirSync(join(folder, "c", "1.jpg"));
    rmSync(join(folder, "e.mp4"), { force: true });
  });
  expect(lines).toEqual([
    "imported a",
    "refused b/1.jpg: it is no longer there",
    "refused c/1.jpg: a folder, not a file",
    "imported d",
    "refused e.mp4: it is no longer there",
  ]);
});

test("unused sidecars and captions are reported, and the files beside them are imported", async () => {
  await set("silk", "#405060");
  await write("silk/media.yml", "title: Lost\n");
  await write("silk/1.yaml", "title: Lost\n");
  await write("silk/lost.vtt", "WEBVTT\n");
  await write("media.yaml", "title: Lost\n");
  await write("talk.mp4.txt", "x");
  await mkdir(join(folder, "talks"));
  await write("talks/talk.mp4", "no video");
  await write("talks/talk.yml", "title: Lost\n");
  const lines = await importAll();
  expect(lines.sort()).toEqual([
    "imported silk",
    "refused media.yaml: there is nothing in its folder that it could describe",
    "refused silk/1.yaml: there is no video with this name beside it",
    "refused silk/lost.vtt: no sidecar in its folder names these captions",
    "refused silk/media.yml: not read under this name; rename it to media.yaml",
    "refused talk.mp4.txt: neither a video nor a picture",
    "refused talks/talk.mp4: not a supported video, or damaged",
    "refused talks/talk.yml: not read under this name; rename it to talk.yaml",
  ]);
  expect(await titles()).toEqual(["silk"]);
});

async function titles(): Promise<string[]> {
  const rows = await db.execute<{ title: string }>(sql`SELECT title FROM media ORDER BY title`);
  return rows.map(({ title }) => title);
}
