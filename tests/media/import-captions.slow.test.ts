import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { H264, openImport } from "../support/import-folder.ts";

const { folder, mediaDir, ffmpeg, run } = await openImport();

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
