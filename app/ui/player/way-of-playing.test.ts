import { expect, test, vi } from "vitest";
import { nativeHls, positionOf, progressive, reload, seek } from "./way-of-playing.ts";

/** As browsers do: before the metadata, a time of 0 is none. */
function playerWith({ readyState, currentTime }: { readyState: number; currentTime: number }) {
  const calls: string[] = [];
  const player = {
    ...{ readyState, currentTime, playbackRate: 1.5, paused: false, src: "" },
    hasAttribute: () => player.src !== "",
    load() {
      calls.push("load");
      Object.assign(player, { readyState: 0, currentTime: 0, playbackRate: 1 });
    },
    play: () => Promise.resolve(void calls.push("play")),
  };
  return { player: player as unknown as HTMLVideoElement, calls };
}

test("a seek to the beginning before the metadata wins over the second that the page starts at", () => {
  const { player } = playerWith({ readyState: 0, currentTime: 0 });
  expect(positionOf(player, 90)).toBe(90);
  seek(player, 0);
  expect(positionOf(player, 90)).toBeLessThan(0.01);
  seek(player, 30);
  expect(positionOf(player, 90)).toBe(30);
});

test("a player that has its metadata seeks to exactly 0", () => {
  const { player } = playerWith({ readyState: 1, currentTime: 40 });
  seek(player, 0);
  expect(positionOf(player, 90)).toBe(0);
});

test("a video that is loaded again goes on at its second and speed, also at the beginning", () => {
  const { player, calls } = playerWith({ readyState: 4, currentTime: 0 });
  reload(player);
  expect(positionOf(player, 90)).toBeLessThan(0.01);
  expect(player.playbackRate).toBe(1.5);
  expect(calls).toEqual(["load", "play"]);
});

const LADDER = {
  master: "/media/id/master.m3u8",
  rungs: [
    { quality: 720, url: "/media/id/1/rung-720.m3u8" },
    { quality: 360, url: "/media/id/1/rung-360.m3u8" },
  ],
  sounds: 2,
};

test("the browser's own HLS keeps the sound when the size changes, and the size when the sound does", () => {
  const { player, calls } = playerWith({ readyState: 4, currentTime: 40 });
  const sounds = [
    { language: "en", label: "English" },
    { language: "en", label: "English, with comments" },
  ];
  const way = nativeHls(player, LADDER, sounds);
  way.chooseQuality(null);
  way.chooseSound("English, with comments");
  expect(player.src).toBe("/media/id/master.m3u8?audio=English%2C+with+comments");
  way.chooseQuality(360);
  // The playlist of a size alone has no sound of its own.
  expect(player.src).toBe("/media/id/master.m3u8?h=360&audio=English%2C+with+comments");
  expect(way.wanted()).toEqual({ url: "/media/id/1/rung-360.mp4", range: "bytes=0-0" });
  expect([positionOf(player, 0), player.playbackRate, calls.length]).toEqual([40, 1.5, 6]);
});

test("with one sound the browser's own HLS plays the playlist of a size, and loads nothing again for the same size", () => {
  const { player, calls } = playerWith({ readyState: 0, currentTime: 0 });
  const way = nativeHls(player, { ...LADDER, sounds: 0 }, []);
  way.chooseQuality(720);
  way.chooseQuality(720);
  expect([player.src, calls]).toEqual(["/media/id/1/rung-720.m3u8", ["load", "play"]]);
});

test("the question about an MP4 takes no slot while its connection may still be open, and is what it requests once it has failed", () => {
  vi.stubGlobal("HTMLMediaElement", { NETWORK_NO_SOURCE: 3 });
  const player = {
    error: null,
    networkState: 2,
    currentSrc: "/video-360.mp4#t=40",
    querySelectorAll: () => [],
  };
  const way = progressive(player as unknown as HTMLVideoElement);
  expect(way.wanted()).toEqual({ url: "/video-360.mp4", range: null, method: "HEAD" });
  player.networkState = 3;
  expect(way.wanted()).toEqual({ url: "/video-360.mp4", range: "bytes=0-" });
  vi.unstubAllGlobals();
});
