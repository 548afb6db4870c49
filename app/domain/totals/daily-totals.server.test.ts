import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { isZoneOfDatabase } from "./daily-totals.server.ts";

test.each([
  ["UTC", true],
  ["Europe/Berlin", true],
  ["europe/berlin", true],
  ["+02:00", false],
  ["Nowhere/Never", false],
])("the database has the zone %s: %s", async (zone, isKnown) => {
  expect(await isZoneOfDatabase(db, zone)).toBe(isKnown);
});
