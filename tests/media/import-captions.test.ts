import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { H264, openImport } from "../support/import-folder.ts";

const { folder, mediaDir, ffmpeg, run, rows, filesOnDisk } = await openImport();

test("captions beside a video are converted", async () => {
  ffmpeg("talk.mp4", [...H264, "-c:a", "aac"]);
  await writeFile(join(folder, "talk.srt"), "1\r\n00:00:00,100 --> 00:00:00,900\r\nHello\r\n");
  await writeFile(
    join(folder, "talk.yaml"),
    "captions: [{ language: en, label: English, file: talk.srt }]\n",
  );
  expect(await run()).toMatchObject({ code: 0 });
  const [file] = await db.execute<{ storage_key: string }>(
    sql`SELECT * FROM media_files WHERE language = 'en'`,
  );
  const vtt = await readFile(join(mediaDir, file?.storage_key ?? ""), "utf8");
  expect(vtt).toContain("00:00.100 --> 00:00.900\nHello");
}, 60_000);

test("captions in older encodings are converted, and a broken captions file refuses its video by name", async () => {
  ffmpeg("talk.mp4", [...H264, "-c:a", "aac"]);
  const languages = ["fr", "de"].map(
    (language) => `{ language: ${language}, label: x, file: ${language}.srt }`,
  );
  await writeFile(join(folder, "talk.yaml"), `captions: [${languages.join(", ")}]\n`);
  const subRip = (text: string) => `1\r\n00:00:00,100 --> 00:00:00,900\r\n${text}\r\n`;
  await writeFile(join(folder, "fr.srt"), subRip("Ça a été"), "utf16le");
  await writeFile(join(folder, "de.srt"), "1\r\n00:00:99,100 --> 00:00:00,900\r\nGrüße\r\n", "latin1");
  const refused = await run();
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(/^refused +de\.srt: captions hold an unreadable time/m);
  expect([await rows(), await filesOnDisk()]).toEqual([[], []]);

  await writeFile(join(folder, "de.srt"), subRip("Grüße"), "latin1");
  expect(await run()).toMatchObject({ code: 0 });
  const stored = await db.execute<{ storage_key: string }>(
    sql`SELECT * FROM media_files WHERE language IS NOT NULL ORDER BY language DESC`,
  );
  const texts = stored.map(({ storage_key }) => readFile(join(mediaDir, storage_key), "utf8"));
  const [french, german] = await Promise.all(texts);
  expect(french).toContain("00:00.100 --> 00:00.900\nÇa a été");
  expect(german).toContain("00:00.100 --> 00:00.900\nGrüße");
}, 60_000);
