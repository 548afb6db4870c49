import { expect, test } from "vitest";
import { readAddress } from "./config/mail-addresses.ts";
import { readCode } from "./domain/auth/sign-in-code.server.ts";
import { parseSearch } from "./domain/catalog/lists/list-filters.ts";
import { slugify } from "./domain/catalog/media/slug.server.ts";
import { toWebVtt } from "./domain/media/import/captions/captions.ts";
import { subStationToSubRip } from "./domain/media/import/captions/substation.ts";
import {
  isGeneratedAlt,
  isReadable,
  nameFromFile,
  normalizeLines,
  normalizeName,
  textError,
} from "./domain/media/item-texts.ts";
import {
  asFileName,
  cutText,
  hasVisibleCharacter,
  quoted,
  toPlainWidth,
  trimInvisible,
  withoutInvisible,
} from "./texts.ts";
import { parseMarkdown } from "./ui/prose/markdown.ts";

test.each([
  ["\u00a0 Ada\u3000\u200b", "Ada"],
  ["\ufeff\u202dAda\u202c", "Ada"],
  ["Ada\u00ad\u2060\u2800", "Ada"],
  ["\u0085Ada\ufffc\u0085", "Ada"],
  ["\ufff9Ada\ufffb", "Ada"],
  ["Ada \u200d", "Ada"],
  ["Ada \ufe0f ", "Ada"],
  ["Ada \u2764\ufe0f", "Ada \u2764\ufe0f"],
  [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  ],
  ["\u0645\u06cc\u200c\u0634\u0648\u062f", "\u0645\u06cc\u200c\u0634\u0648\u062f"],
  ["\u0d05\u0d30\u0d41\u0d23\u0d4d\u200d", "\u0d05\u0d30\u0d41\u0d23\u0d4d\u200d"],
  [" \t ", ""],
  [" \u3164 ", "\u3164"],
])("the text %j is trimmed to %j", (text, expected) => expect(trimInvisible(text)).toBe(expected));

test.each([
  "\u3164",
  "\u200b",
  "\u2800\u2800",
  "\u00ad",
  "\u034f",
  "\ufe0f",
  "\u0301",
  "\u{e0061}",
  "\u202e",
  "\ufffc",
  "\u{1d159}",
  "\u{13441}\u{13442}",
  "",
])("%j is invisible", (text) => expect(hasVisibleCharacter(text)).toBe(false));

test.each(["a", "!", "\u2764\ufe0f", "\u{1f1e9}\u{1f1ea}", "\u0915\u094d\u200d", "夜", "7"])(
  "%j is visible",
  (text) => expect(hasVisibleCharacter(text)).toBe(true),
);

test.each([
  ["Night \u{1f1e9}\u{1f1ea}", 8, "Night "],
  ["Night \u{1f1e9}\u{1f1ea}", 10, "Night \u{1f1e9}\u{1f1ea}"],
  ["e\u0301e\u0301", 3, "e\u0301"],
  ["\u{1f468}\u200d\u{1f469}\u200d\u{1f467}x", 7, ""],
  ["abc", 2, "ab"],
  [`a${"\u0301".repeat(500)}`, 200, ""],
])("%j cut to %i units is %j", (text, longest, expected) => expect(cutText(text, longest)).toBe(expected));

test("full-width and Arabic characters are written in ASCII, others stay", () => {
  expect(toPlainWidth("１２：４０ Ａ＠ｂ．ｃ。ｄ ٤٥۶ ü夜")).toBe("12:40 A@b.c.d 456 ü夜");
});

/** Some texts are refused. */
function attempt(read: () => unknown): void {
  try {
    read();
  } catch {}
}

test.each<[string, (text: string) => unknown]>([
  ["trimInvisible", trimInvisible],
  ["withoutInvisible", withoutInvisible],
  ["hasVisibleCharacter", hasVisibleCharacter],
  ["toPlainWidth", toPlainWidth],
  ["cutText", (text) => cutText(text, 200)],
  ["asFileName", asFileName],
  ["isReadable", isReadable],
  ["isGeneratedAlt", isGeneratedAlt],
  ["normalizeLines", normalizeLines],
  ["normalizeName", normalizeName],
  ["textError", (text) => textError("The title", text, 200)],
  ["nameFromFile", (text) => nameFromFile(text, 200)],
  ["quoted", quoted],
  ["parseMarkdown", parseMarkdown],
  ["toWebVtt", (text) => attempt(() => toWebVtt(Buffer.from(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`)))],
  [
    "subStationToSubRip",
    (text) =>
      subStationToSubRip(`[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,${text}\n`),
  ],
  ["readAddress", readAddress],
  ["readCode", readCode],
  ["parseSearch", parseSearch],
  ["slugify", slugify],
])("%s reads a long text once, whatever fills it", (_, read) => {
  const secondsFor = (filling: string, length: number) => {
    const text = `a${filling.repeat(length / filling.length)}b`;
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now();
      read(text);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  for (const filling of [
    " ",
    "\n",
    "\u2800",
    "\u200d",
    " \u200d",
    "\u00ad",
    "\ufe0f",
    "0",
    ".",
    ", photo 1 of ",
    "[",
    "<?",
    "<!--",
    "`",
    "*",
    "\\",
    "{",
    "> ",
    "&",
  ]) {
    const short = Math.max(secondsFor(filling, 4_000), 0.5);
    // 16 times as long: once through takes 16 times as long, and from each character on 256 times.
    expect(secondsFor(filling, 64_000) / short, JSON.stringify(filling)).toBeLessThan(100);
  }
});

test.each([
  ["Silk", "“Silk”"],
  ["夜", "“夜”"],
  ["ليل", "“\u2068ليل\u2069”"],
  ["שלום 2", "“\u2068שלום 2\u2069”"],
  // Adlam, Mandaic, Samaritan, Hanifi Rohingya, Mende Kikakui, and the forms of printed Arabic.
  ["\u{1e900}\u{1e901}", "“\u2068\u{1e900}\u{1e901}\u2069”"],
  ["\u0841", "“\u2068\u0841\u2069”"],
  ["\u0800", "“\u2068\u0800\u2069”"],
  ["\u{10d00}", "“\u2068\u{10d00}\u2069”"],
  ["\u{1e800}", "“\u2068\u{1e800}\u2069”"],
  ["\ufefb", "“\u2068\ufefb\u2069”"],
  ["Été \u{1f5a4} नि", "“Été \u{1f5a4} नि”"],
  // From before such characters were refused.
  ["Silk \u202eyb", "“\u2068Silk yb\u2069”"],
  ["\u2069Silk\u2067", "“\u2068Silk\u2069”"],
])("the name %j in a sentence is %j", (name, expected) => expect(quoted(name)).toBe(expected));
