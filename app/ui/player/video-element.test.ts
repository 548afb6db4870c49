import { expect, test } from "vitest";
import { standInPlayer } from "#tests/support/browser/stand-in-player.ts";
import { positionOf, reload, seek } from "./video-element.ts";

test("a seek to the beginning before the metadata overrides the page's start time", () => {
  const { player } = standInPlayer({ readyState: 0, currentTime: 0 });
  expect(positionOf(player, 90)).toBe(90);
  seek(player, 0);
  expect(positionOf(player, 90)).toBeLessThan(0.01);
  seek(player, 30);
  expect(positionOf(player, 90)).toBe(30);
});

test("a player with metadata seeks to exactly 0", () => {
  const { player } = standInPlayer({ readyState: 1, currentTime: 40 });
  seek(player, 0);
  expect(positionOf(player, 90)).toBe(0);
});

test("a reloaded video continues at its second and speed, also at the beginning", () => {
  const { player, calls } = standInPlayer({ readyState: 4, currentTime: 0 });
  reload(player);
  expect(positionOf(player, 90)).toBeLessThan(0.01);
  expect(player.playbackRate).toBe(1.5);
  expect(calls).toEqual(["load", "play"]);
});

test("a paused video that is loaded again stays paused at its second", () => {
  const { player, calls } = standInPlayer({ readyState: 4, currentTime: 40 });
  Object.assign(player, { paused: true });
  reload(player);
  expect([positionOf(player, 0), calls]).toEqual([40, ["load"]]);
});
