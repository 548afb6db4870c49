import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeArchive } from "#app/domain/backup/archive.server.ts";

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
