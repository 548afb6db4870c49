import { expect, test } from "vitest";
import { OLDEST_MAJOR, releaseWithFixes } from "./security-releases.ts";

test.each([
  ["15.19", "15.20"],
  ["16.9", "16.16"],
  ["17.11", "17.12"],
  ["18.4", "18.7"],
  ["18.6", "18.7"],
  ["18.4.0-beta.17", "18.7"],
  ["17.2 (Debian 17.2-1.pgdg120+1)", "17.12"],
  ["18rc1", "18.7"],
])("PostgreSQL %s lacks fixes that %s has", (version, release) => {
  expect(releaseWithFixes(version)).toBe(release);
});

test.each([
  "15.20",
  "16.16",
  "17.12",
  "18.7",
  "18.10",
  "18.7 (Debian 18.7-1.pgdg120+1)",
  "19.0",
  "20beta1",
  "",
])("PostgreSQL %j lacks no fix that is known here", (version) => {
  expect(releaseWithFixes(version)).toBeNull();
});

test("the oldest supported major version is the one that the settings name", () => {
  expect(OLDEST_MAJOR).toBe(15);
});
