import { expect, test } from "vitest";
import { timeZoneProblem } from "#app/config/settings.ts";
import { timeZoneNames } from "./time-zones.ts";

test.each(["Europe/Kyiv", "UTC", "Asia/Kolkata", "America/Nuuk", "Pacific/Kanton", "Europe/Berlin"])(
  "%s is offered, once",
  (zone) => {
    expect(timeZoneNames().filter((name) => name === zone)).toEqual([zone]);
  },
);

test("no former name is offered, and each offered one can be chosen", () => {
  const names = timeZoneNames();
  for (const former of ["Europe/Kiev", "Asia/Calcutta", "America/Godthab"])
    expect(names).not.toContain(former);
  expect(names.filter((name) => timeZoneProblem(name) !== null)).toEqual([]);
});
