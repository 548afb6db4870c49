import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { expect, test } from "vitest";
import { storePortrait } from "./store-picture.server.ts";

test("a portrait of any shape is stored as 4:5 in both widths and both formats", async () => {
  const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: "#804060" } })
    .png()
    .toBuffer();
  const { files, color } = await storePortrait(wide, { creatorId: randomUUID(), version: "first" });
  expect(files.map(({ name, width, height }) => [name, width, height]).sort()).toEqual([
    ["portrait-480.avif", 480, 600],
    ["portrait-480.webp", 480, 600],
    ["portrait-960.avif", 960, 1200],
    ["portrait-960.webp", 960, 1200],
  ]);
  expect(color).toBe("#804060");
});
