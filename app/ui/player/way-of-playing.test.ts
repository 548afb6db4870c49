import { expect, test, vi } from "vitest";
import { standInPlayer } from "#tests/support/browser/stand-in-player.ts";
import { positionOf } from "./video-element.ts";
import { nativeHls, progressive } from "./way-of-playing.ts";

const LADDER = {
  master: "/media/id/master.m3u8",
  rungs: [
    { size: 720, url: "/media/id/1/rung-720.m3u8" },
    { size: 360, url: "/media/id/1/rung-360.m3u8" },
  ],
  audioTrackCount: 2,
};

test("native HLS keeps the audio track when the size changes, and the size when the audio track changes", () => {
  const { player, calls } = standInPlayer({ readyState: 4, currentTime: 40 });
  const audioTracks = [
    { language: "en", label: "English" },
    { language: "en", label: "English, with comments" },
  ];
  const way = nativeHls(player, LADDER, audioTracks);
  way.chooseSize(null);
  way.chooseAudio("English, with comments");
  expect(player.src).toBe("/media/id/master.m3u8?audio=English%2C+with+comments");
  way.chooseSize(360);
  // The playlist of a size alone has no audio track of its own.
  expect(player.src).toBe("/media/id/master.m3u8?h=360&audio=English%2C+with+comments");
  expect(way.probe()).toEqual({ url: "/media/id/1/rung-360.mp4", range: "bytes=0-0" });
  expect([positionOf(player, 0), player.playbackRate, calls.length]).toEqual([40, 1.5, 6]);
});

test("with one audio track native HLS plays a size's own playlist, and reloads nothing for the same size", () => {
  const { player, calls } = standInPlayer({ readyState: 0, currentTime: 0 });
  const way = nativeHls(player, { ...LADDER, audioTrackCount: 0 }, []);
  way.chooseSize(720);
  way.chooseSize(720);
  expect([player.src, calls]).toEqual(["/media/id/1/rung-720.m3u8", ["load", "play"]]);
});

test("an MP4's probe takes no slot while its connection may be open, and is the player's own request after a failure", () => {
  vi.stubGlobal("HTMLMediaElement", { NETWORK_NO_SOURCE: 3 });
  const player = {
    error: null,
    networkState: 2,
    currentSrc: "/video-360.mp4#t=40",
    querySelectorAll: () => [],
  };
  const way = progressive(player as unknown as HTMLVideoElement);
  expect(way.probe()).toEqual({ url: "/video-360.mp4", range: null, method: "HEAD" });
  player.networkState = 3;
  expect(way.probe()).toEqual({ url: "/video-360.mp4", range: "bytes=0-" });
  vi.unstubAllGlobals();
});
