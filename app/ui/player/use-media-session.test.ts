import { expect, test } from "vitest";
import { standInPlayer } from "#tests/support/browser/stand-in-player.ts";
import { actionsOf } from "./use-media-session.ts";
import { positionOf } from "./video-element.ts";

test.each([
  ["seekbackward", undefined, 80],
  ["seekforward", undefined, 100],
  ["seekto", 0, 0],
  ["seekto", 30, 30],
] as const)("before the metadata, %s of the lock screen (%s) leads to second %i", (action, seekTime, at) => {
  const { player } = standInPlayer({ readyState: 0, currentTime: 0 });
  const [, handle] = actionsOf(player, { startAt: 90, onNext: null }).find(([name]) => name === action) ?? [];
  handle?.({ action, seekTime });
  expect(positionOf(player, 90)).toBeCloseTo(at, 2);
});
