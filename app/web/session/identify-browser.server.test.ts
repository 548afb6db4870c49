import Bowser from "bowser";
import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { deviceName } from "./identify-browser.server.ts";

const NAMES = [...Object.values(Bowser.BROWSER_MAP), "A browser"];
const SYSTEMS = [...Object.values(Bowser.OS_MAP), "an unknown system"];
const TABLE = new Set(NAMES.flatMap((browser) => SYSTEMS.map((system) => `${browser} on ${system}`)));

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0",
    "Microsoft Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  ["curl/8.5.0", "A browser on an unknown system"],
  ["", "A browser on an unknown system"],
  [null, "A browser on an unknown system"],
])("%s is called %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

const HOSTILE = [
  "https://evil.example/login/1.0",
  "Go to https://evil.example now/1.0",
  "Your account is closed, call +1 555 0100/1 (x)",
  "<a href=https://evil.example>Sign in</a>/1.0",
  "Mozilla/5.0 (https://evil.example; Linux evil.example) evil.example/1.0",
  "Mozilla/5.0 (Windows NT evil.example) Firefox/evil.example",
  "Mozilla/5.0 (evil.example OS evil.example) AppleWebKit/537.36 (KHTML, like Gecko)",
  "evil.example\u202e\u0000\t/1.0",
  "Firefox/1.0 https://evil.example",
  "__proto__/1.0",
  "constructor/1.0 (toString)",
];

test.each(HOSTILE)("only names from the library's table are repeated from %s", (userAgent) => {
  expectFromTable(userAgent);
});

test("no header can add words of its own to the name", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "Mozilla/5.0",
      "(Windows NT 10.0)",
      "Firefox/",
      "Version/1",
      "evil.example",
      "https://",
      "; ",
    ),
    fc.string({ maxLength: 40, unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => expectFromTable(words.join(" "))),
    { numRuns: 500 },
  );
});

test("long headers are cut before parsing, so they take no longer than a browser's own", () => {
  expect(deviceName("Mozilla/5.0 (X11; Linux x86_64) Firefox/1.0")).toBe("Firefox on Linux");
  expect(deviceName(`${" ".repeat(512)}(X11; Linux x86_64) Firefox/1.0`)).toBe(
    "A browser on an unknown system",
  );
  const pieces = [
    "a",
    "1",
    " ",
    "/",
    "(",
    "Chrome/1.",
    "android ",
    "Mac OS X 1_",
    "Windows NT 1.",
    "Version/1 ",
  ];
  const long = pieces.map((piece) => piece.repeat(8 * 1024).slice(0, 8 * 1024));
  for (const userAgent of long) expect(deviceName(userAgent)).toBe(deviceName(userAgent.slice(0, 512)));
});

function expectFromTable(userAgent: string): void {
  const name = deviceName(userAgent);

  expect(TABLE.has(name), name).toBe(true);
}
