import { expect, test } from "vitest";
import { assessVersion } from "./server-version.ts";

test.each([true, false])(
  "a server with all security fixes is fine, in a demo (%s) and on a real site",
  (isDemo) => {
    expect(assessVersion("18.7 (Debian 18.7-1)", isDemo)).toEqual({
      isOk: true,
      detail: "18.7",
    });
  },
);

test("a real site learns which release has the fixes that its server lacks, and what to do", () => {
  expect(assessVersion("17.11 (Ubuntu 17.11-1)", false)).toEqual({
    isOk: false,
    advice: expect.stringMatching(
      /^Version 17\.11 lacks security fixes: upgrade to 17\.12 or later, .*separate one/,
    ),
  });
});

test("a demo learns the same, and that it need not act", () => {
  expect(assessVersion("18.4", true)).toEqual({
    isOk: true,
    detail: "18.4, which is fine for a demo; a real site needs 18.7 or later",
  });
});

test.each([true, false])(
  "a major version that is too old has to be upgraded, for a demo (%s) and for a real site",
  (isDemo) => {
    expect(assessVersion("14.25", isDemo)).toEqual({
      isOk: false,
      advice: "Version 14.25 is too old: upgrade to 15 or later",
    });
  },
);
