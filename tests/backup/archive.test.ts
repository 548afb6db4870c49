import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { readArchive, readEntry, writeArchive } from "#app/domain/backup/archive.server.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-archive-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("an archive follows no link and takes no file that lies ready for it", async () => {
  const [linked, open] = [join(folder, "linked.tar"), join(folder, "open.tar")];
  const target = join(folder, "target");
  await writeFile(target, "");
  await symlink(target, `${linked}.part`);
  await writeFile(`${open}.part`, "", { mode: 0o666 });
  for (const path of [linked, open]) {
    await writeArchive(path, (archive) => archive.add("a", "members"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  }
  expect(await readFile(target, "utf8")).toBe("");
});

test("two archives of one name that are written at once do not mix", async () => {
  const path = join(folder, "twice.tar");
  const texts = ["a".repeat(300_000), "b".repeat(300_000)];
  await Promise.all(texts.map((text) => writeArchive(path, (archive) => archive.add("text", text))));
  for await (const entry of readArchive(path)) expect(texts).toContain((await readEntry(entry)).toString());
  expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/^twice.+part$/));
});

test("a stream is added with the hash of its bytes", async () => {
  const path = join(folder, "stream.tar");
  const bytes = Buffer.alloc(3_000_000, "content");
  let hash = "";
  await writeArchive(path, async (archive) => {
    hash = await archive.addStream(
      "stream",
      bytes.length,
      Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]),
    );
  });
  expect(hash).toBe(createHash("sha256").update(bytes).digest("hex"));
  for await (const entry of readArchive(path)) expect((await readEntry(entry)).equals(bytes)).toBe(true);
});
