import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test, vi } from "vitest";
import { withSetPictures } from "#app/domain/media/import/set-pictures.server.ts";
import { ITEM_PICTURE_LIMITS } from "#app/domain/media/item-pictures.server.ts";

vi.setConfig({ testTimeout: 300_000 });

async function makePhoto(width: number, height: number) {
  const folder = await mkdtemp(join(tmpdir(), "peony-tall-"));
  const path = join(folder, "1.jpg");
  await sharp({ create: { width, height, channels: 3, background: "#e06040" } })
    .jpeg()
    .toFile(path);
  return withSetPictures({ count: 1, signal: new AbortController().signal }, (pictures) =>
    pictures.makePhoto(path, folder, 1),
  );
}

test.each([
  ["a long screenshot", 1170, 19_000, 889],
  ["an upright photo of 45 megapixels", 5464, 8192, 3352],
  ["the tallest photo", 4096, 15_800, 2035],
])("%s is made within the memory of its program", async (_, width, height, widest) => {
  const made = await makePhoto(width, height);
  expect([made.width, made.widest]).toEqual([widest, widest]);
  expect(made.images.map(({ contentType }) => contentType)).toContain("image/avif");
});

test("a server with too little memory for a photo says so", async () => {
  const { memoryKb } = ITEM_PICTURE_LIMITS;
  ITEM_PICTURE_LIMITS.memoryKb = 250 * 1024;
  onTestFinished(() => {
    ITEM_PICTURE_LIMITS.memoryKb = memoryKb;
  });
  await expect(makePhoto(3000, 4000)).rejects.toThrow("this server has too little memory for it");
});
