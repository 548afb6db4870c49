import { expect, test } from "vitest";
import { spriteAt, spritesIn } from "./sprites.ts";

const VTT = `WEBVTT

00:00:00.000 --> 00:00:05.000
sprite-1.webp#xywh=0,0,160,90

00:00:05.000 --> 00:00:10.000
sprite-1.webp#xywh=160,0,160,90

01:00:00.000 --> 01:00:03.500
sprite-2.webp#xywh=0,90,160,90
`;

test("each second has the picture of its cue, from a sheet beside the WebVTT", () => {
  const sprites = spritesIn(VTT, "/media/one/3/sprite.vtt");
  expect(sprites).toHaveLength(3);
  expect(spriteAt(sprites, 0)).toMatchObject({ url: "/media/one/3/sprite-1.webp", x: 0 });
  expect(spriteAt(sprites, 7.2)).toMatchObject({ x: 160, y: 0, width: 160, height: 90 });
  expect(spriteAt(sprites, 3601)).toMatchObject({ url: "/media/one/3/sprite-2.webp", y: 90 });
});

test("other text has no pictures", () => {
  expect(spritesIn("<html></html>", "/media/one/sprite.vtt")).toEqual([]);
  expect(spriteAt([], 3)).toBeNull();
});
