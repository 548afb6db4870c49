import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { H264, openImport } from "../support/import-folder.ts";

const { folder, ffmpeg, run } = await openImport();

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
  const vtt = String(await mediaStorage.read(file?.storage_key ?? ""));
  expect(vtt).toContain("00:00.100 --> 00:00.900\nHello");
}, 60_000);

test("captions in older encodings are converted, and unreadable captions do not stop their video", async () => {
  ffmpeg("talk.mp4", [...H264, "-c:a", "aac"]);
  const languages = ["fr", "de", "ru", "it", "es", "pt"];
  const named = languages.map((each) => `{ language: ${each}, label: ${each}, file: ${each}.srt }`);
  await writeFile(join(folder, "talk.yaml"), `captions: [${named.join(", ")}]\n`);
  const subRip = (text: string) => `1\r\n00:00:00,100 --> 00:00:00,900\r\n${text}\r\n`;
  await writeFile(join(folder, "fr.srt"), subRip("Ça a été"), "utf16le");
  await writeFile(join(folder, "de.srt"), subRip("Grüße"), "latin1");
  await writeFile(join(folder, "ru.srt"), subRip("\xcf\xf0\xe8\xe2\xe5\xf2"), "latin1");
  await writeFile(join(folder, "it.srt"), "1\r\n00:00:99,100 --> 00:00:00,900\r\nCiao\r\n");
  await mkdir(join(folder, "es.srt"));
  const { code, output } = await run();
  expect(code).toBe(0);
  expect(output).toMatch(
    /^warning +it\.srt: these captions were left out: line 2 was left out, because it has no length: Ciao$/m,
  );
  expect(output).toMatch(/^warning +es\.srt: these captions were left out: a folder, not a file$/m);
  expect(output).toMatch(/^warning +pt\.srt: these captions were left out: there is no such file$/m);
  expect(output).toMatch(/^warning +ru\.srt: read as windows-1251, which is usual for its language; /m);
  expect(output).toContain("1 imported, 0 already there, 0 refused, 0 skipped, 5 warnings");

  const stored = await db.execute<{ language: string; storage_key: string }>(
    sql`SELECT * FROM media_files WHERE language IS NOT NULL`,
  );
  const texts = stored.map(async ({ language, storage_key }) => {
    return [
      language,
      String(await mediaStorage.read(storage_key))
        .trim()
        .split("\n")
        .at(-1),
    ];
  });
  expect(Object.fromEntries(await Promise.all(texts))).toEqual({ fr: "Ça a été", de: "Grüße", ru: "Привет" });
}, 60_000);
