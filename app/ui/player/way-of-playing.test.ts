import { expect, test } from "vitest";
import { positionOf, reload, seek } from "./way-of-playing.ts";

/** As browsers do: before the metadata, a time of 0 is none. */
function playerWith({ readyState, currentTime }: { readyState: number; currentTime: number }) {
  const calls: string[] = [];
  const player = {
    ...{ readyState, currentTime, playbackRate: 1.5, paused: false },
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
