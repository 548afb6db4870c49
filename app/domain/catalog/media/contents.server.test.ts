import { expect, test } from "vitest";
import { videoContents } from "./contents.server.ts";

test("a ladder names its sizes, and tells how many sounds there are", () => {
  const playlist = (name: string, quality: number | null) => ({
    ...{ name, quality, version: 1, height: quality, contentType: "application/vnd.apple.mpegurl" },
    ...{ bytes: 500, language: null, label: null },
  });
  const files = [
    playlist("rung-360.m3u8", 360),
    playlist("rung-sound-1.m3u8", null),
    playlist("rung-sound-2.m3u8", null),
  ];
  const { ladder } = videoContents("id", { files, markers: null, seconds: 60 });
  expect(ladder?.rungs).toEqual([{ quality: 360, url: "/media/id/1/rung-360.m3u8" }]);
  // The page keeps room for their menu.
  expect(ladder?.sounds).toBe(2);
});
