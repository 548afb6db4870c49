import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { picture } from "#tests/support/import-folder.ts";
import { withSetPictures } from "./set-pictures.server.ts";

vi.setConfig({ testTimeout: 120_000 });

test("a full disk is named as the reason, and the picture is not blamed for it", async () => {
  const newFolder = () => mkdtemp(join(tmpdir(), "peony-set-pictures-"));
  const [source, roomy, full] = [await newFolder(), await newFolder(), await newFolder()];
  const path = join(source, "1.jpg");
  await picture(path, "red");
  const signal = new AbortController().signal;
  await withSetPictures({ count: 1, signal }, async (pictures) => {
    for (const make of [
      (folder: string) => pictures.makeCover(path, folder),
      (folder: string) => pictures.makePhoto(path, folder, 1),
    ]) {
      const { images } = await make(roomy);
      expect(images).not.toEqual([]);
      for (const { name } of images) await symlink("/dev/full", join(full, name));
      await expect(make(full)).rejects.toThrow("the disk of the media folder is full");
    }
  });
});
