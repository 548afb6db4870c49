import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { safeRedirect } from "./safe-redirect.ts";

const SITE = "https://site.example";
const HOSTILE = [
  "//",
  "/\\",
  "\\",
  "/",
  ":",
  "@",
  "\t",
  "\n",
  "\r",
  "\0",
  "%09",
  "%2f",
  ".",
  "..",
  "evil.example",
  "?",
  "#",
];
const PAYLOADS = [
  "//evil.example",
  "///evil.example",
  "////evil.example/a",
  "/\\evil.example",
  "\\/evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/../..//evil.example",
  "/%2e//evil.example",
  "/.\\/evil.example",
  "https://evil.example",
  "https:evil.example",
  "https:/evil.example",
  "//evil.example%2f@site.example",
  "//site.example@evil.example",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "/\u0000/evil.example",
  "/\u2028/evil.example",
  "//[::1]",
  "//0x7f000001",
  "",
];

function isOnSite(path: string): boolean {
  return /^\/(?![/\\])[^\s\\?]*(?:\?\S*)?$/.test(path) && new URL(path, SITE).origin === SITE;
}

test.each(PAYLOADS)("%j does not leave the site", (payload) => {
  expect(isOnSite(safeRedirect(payload))).toBe(true);
});

test("none of twenty thousand texts leads to another site", () => {
  const hostile = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string()), { maxLength: 8 });
  const target = fc.oneof(
    hostile.map((parts) => `/${parts.join("")}`),
    hostile.map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(target, (text) => isOnSite(safeRedirect(text))),
    { numRuns: 20_000 },
  );
});

test("a path of this site keeps its query, and anything else goes to the fallback", () => {
  expect(safeRedirect("/content/video?q=a b&sort=title")).toBe("/content/video?q=a%20b&sort=title");
  expect(safeRedirect("/user/favorites")).toBe("/user/favorites");
  expect(safeRedirect(null, "/about")).toBe("/about");
  expect(safeRedirect("//evil.example", "/about")).toBe("/about");
});
