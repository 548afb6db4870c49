import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { H264, openImport, picture } from "../support/import-folder.ts";

const { folder, ffmpeg, run, rows, allFiles } = await openImport();

test("an unusable file is named with its reason, and leaves nothing behind", async () => {
  const before = await allFiles();
  await writeFile(join(folder, "empty.mp4"), "");
  await writeFile(join(folder, "words.mp4"), "only words");
  await writeFile(join(folder, "notes.docx"), "x");
  await truncate(ffmpeg("cut.mp4", [...H264, "-c:a", "aac"], { seconds: 3 }), 20_000);
  ffmpeg("cut early.mp4", [...H264, "-c:a", "aac", "-movflags", "+faststart"], { seconds: 5 });
  await truncate(join(folder, "cut early.mp4"), 60_000);
  // The file is sparse. Reading this much would take longer than the test may.
  await writeFile(join(folder, "enormous.mp4"), "");
  await truncate(join(folder, "enormous.mp4"), 300 * 1024 ** 3);
  await mkdir(join(folder, "enormous picture"));
  await writeFile(join(folder, "enormous picture", "1.jpg"), "");
  await truncate(join(folder, "enormous picture", "1.jpg"), 300 * 1024 ** 3);
  for (const [name, bytes] of [
    ["vector", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["empty", Buffer.alloc(0)],
  ] as const) {
    await mkdir(join(folder, name));
    await picture(join(folder, name, "1.jpg"), "#333333");
    await writeFile(join(folder, name, name === "vector" ? "2.svg" : "2.jpg"), bytes);
  }
  await mkdir(join(folder, "unknown key"));
  await picture(join(folder, "unknown key", "1.jpg"), "#333333");
  await writeFile(join(folder, "unknown key", "media.yaml"), "tittle: x\n");

  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toMatch(/refused +empty\.mp4: the file is empty/);
  expect(output).toMatch(/refused +words\.mp4: not a supported video/);
  expect(output).toMatch(/refused +notes\.docx: neither a video nor a picture/);
  expect(output).toMatch(/refused +cut\.mp4: .*damaged/);
  expect(output).toMatch(/refused +cut early\.mp4: .*damaged/);
  expect(output).toMatch(/refused +enormous\.mp4: larger than 64 GB/);
  expect(output).toMatch(/refused +enormous picture\/1\.jpg: larger than 300 MB/);
  expect(output).toMatch(/refused +vector\/2\.svg: not a supported picture/);
  expect(output).toMatch(/refused +empty\/2\.jpg: the file is empty/);
  expect(output).toMatch(/refused +unknown key\/media\.yaml: unknown key tittle/);
  expect(output).toMatch(/refused +unknown key: not imported without media\.yaml, which would describe it/);
  const lines = output.trim().split("\n");
  expect(lines.at(-1)).toBe("0 imported, 0 already there, 11 refused, 0 skipped, 0 warnings");
  expect(await rows()).toEqual([]);
  expect(await allFiles()).toEqual(before);
}, 120_000);

test("a playlist disguised as a video opens no connection and no other file", async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const secret = ffmpeg("secret.mp4", [...H264]);
  execFileSync("ffmpeg", ["-v", "error", "-i", secret, "-c", "copy", join(config.dataDir, "secret.ts")]);
  await cp(secret, join(config.dataDir, "secret.mp4"));
  await rm(secret);
  const playlist = (uri: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${uri}\n#EXT-X-ENDLIST\n`;
  await writeFile(join(folder, "net.mp4"), playlist(`http://127.0.0.1:${port}/a.ts`));
  await writeFile(join(folder, "disk.ts"), playlist(join(config.dataDir, "secret.ts")));
  await writeFile(
    join(folder, "concat.mkv"),
    `ffconcat version 1.0\nfile ${join(config.dataDir, "secret.mp4")}\n`,
  );
  // ffmpeg alone would follow this playlist and the one on disk. The file itself is a video, whatever its ending.
  await cp(join(config.dataDir, "secret.mp4"), join(folder, "inner.bin"));
  await writeFile(join(folder, "nested.mp4"), "ffconcat version 1.0\nfile inner.bin\nduration 1\n");
  const { output } = await run();
  server.close();
  expect(output).toContain("1 imported, 0 already there, 4 refused");
  expect(calls).toBe(0);
}, 60_000);
