import { expect, test } from "vitest";
import { arizonaDay, arizonaDigits, endOfNamedDay, parseArizonaTime } from "./arizona-time.ts";

test("times are of Arizona, in every way in which CCBill writes them", () => {
  const at = new Date("2012-08-05T22:18:17Z");
  for (const text of ["2012-08-05 15:18:17", "20120805151817"]) expect(parseArizonaTime(text)).toEqual(at);
  expect(parseArizonaTime("2012080515")).toEqual(new Date("2012-08-05T22:00:00Z"));
  // Arizona has no summer time.
  for (const text of ["2012-12-05", "20121205"])
    expect(parseArizonaTime(text)).toEqual(new Date("2012-12-05T07:00:00Z"));
  expect([arizonaDay(at), arizonaDigits(at)]).toEqual(["2012-08-05", "20120805151817"]);
  expect(endOfNamedDay(at)).toEqual(new Date("2012-08-05T23:59:59Z"));
  expect(arizonaDay(new Date("2012-08-06T06:59:59Z"))).toBe("2012-08-05");
});

test("what is no time is none", () => {
  for (const text of [
    "",
    "0",
    "2012-02-30",
    "20121305",
    "2012-08-05 25:00:00",
    "05/08/2012",
    "201208051518170",
  ])
    expect([text, parseArizonaTime(text)]).toEqual([text, null]);
});
