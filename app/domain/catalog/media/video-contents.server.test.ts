import { expect, test } from "vitest";
import { videoContents } from "./video-contents.server.ts";

test("a ladder names its sizes and counts its audio tracks", () => {
  const playlist = (name: string, size: number | null) => ({
    ...{ name, size, version: 1, height: size, contentType: "application/vnd.apple.mpegurl" },
    ...{ bytes: 500, language: null, label: null },
  });
  const files = [
    playlist("rung-360.m3u8", 360),
    playlist("rung-sound-1.m3u8", null),
    playlist("rung-sound-2.m3u8", null),
  ];
  const { ladder } = videoContents("id", { files, markers: null, seconds: 60, width: 640, height: 360 });
  expect(ladder?.rungs).toEqual([{ size: 360, url: "/media/id/1/rung-360.m3u8" }]);
  // The page keeps room for their menu.
  expect(ladder?.audioTrackCount).toBe(2);
});

const sheetsOf = (sheets: number, rows: number) => [
  ...[{ name: "sprite.vtt", height: null }],
  ...Array.from({ length: sheets }, (_, index) => ({ name: `sprite-${index + 1}.webp`, height: rows * 90 })),
];
test.each([
  ["a sheet of 300.00 s", { sheets: 1, rows: 6, seconds: 300.02, at: 252 }, { sheet: 1, x: 160, y: 450 }],
  ["a sheet of 300.02 s", { sheets: 1, rows: 7, seconds: 300, at: 252 }, { sheet: 1, x: 160, y: 450 }],
  ["sheets of 1800.00 s", { sheets: 4, rows: 10, seconds: 1800.02, at: 900 }, { sheet: 2, x: 160, y: 720 }],
  ["sheets of 1800.02 s", { sheets: 2, rows: 10, seconds: 1800, at: 900 }, { sheet: 1, x: 160, y: 810 }],
])("a chapter's picture is whole on %s, whatever the video's duration", (_, video, expected) => {
  const { sheets, rows, seconds, at } = video;
  const files = sheetsOf(sheets, rows).map((file) => ({
    ...{ ...file, size: null, version: 3, contentType: "x/x" },
    ...{ bytes: 1, language: null, label: null },
  }));
  const size = { width: 1920, height: 1080 };
  const { markers } = videoContents("id", {
    files,
    markers: [{ atSeconds: at, title: "" }],
    seconds,
    ...size,
  });
  const { sheet, x, y } = expected;
  const url = `/media/id/3/sprite-${sheet}.webp`;
  expect(markers[0]?.picture).toEqual({ url, x, y, width: 160, height: 90 });
});

test("a chapter's picture is taken between its beginning, which may be black, and its end", () => {
  const files = sheetsOf(1, 1).map((file) => ({
    ...{ ...file, size: null, version: 3, contentType: "x/x" },
    ...{ bytes: 1, language: null, label: null },
  }));
  const chapters = [0, 7, 12, 14, 38].map((atSeconds) => ({ atSeconds, title: "" }));
  const size = { width: 1920, height: 1080 };
  const { markers } = videoContents("id", { files, markers: chapters, seconds: 40, ...size });
  // Pictures of 0, 5, 10 … 35 s.
  expect(markers.map(({ picture }) => (picture?.x ?? 0) / 32)).toEqual([5, 10, 10, 15, 35]);
});

test("captions without a language are in no language that a browser would take for the viewer's", () => {
  const file = { name: "captions-und.vtt", size: null, height: null, version: 2, contentType: "text/vtt" };
  const files = [{ ...file, bytes: 1, language: null, label: null }];
  const { captions } = videoContents("id", { files, markers: null, seconds: 60, width: 640, height: 360 });
  expect(captions).toEqual([{ url: "/media/id/2/captions-und.vtt", language: "und", label: "Captions" }]);
});
