import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { shortIdFromSlug } from "./short-id.ts";
import { mediaSlug, romanizedSlug, slugify } from "./slug.server.ts";

test("a title without a letter still has a slug", () => {
  for (const title of ["🔥🔥", "!?", ""]) expect(mediaSlug(title, "abcdefgh")).toBe("abcdefgh");
  expect(mediaSlug("Été à deux!", "abcdefgh")).toBe("ete-a-deux-abcdefgh");
  expect(shortIdFromSlug("ete-a-deux-abcdefgh")).toBe("abcdefgh");
});

test.each([
  ["Белая ночь", "belaya-noch"],
  ["Αθήνα", "athina"],
  ["ليلة", "lylt"],
  ["Đêm Sài Gòn", "dem-sai-gon"],
  ["Grüße & Küsse", "grusse-and-kusse"],
  ["Ann\u2019s ﬁrst Ⅷ", "anns-first-viii"],
  ["DvdRip 4K", "dvdrip-4k"],
  [`${"a".repeat(79)} b c`, "a".repeat(79)],
])("the title %s is transliterated for the URL", async (title, expected) => {
  expect(slugify(title)).toBe(expected);
  expect(mediaSlug(title, "abcdefgh")).toBe(`${expected}-abcdefgh`);
});

test.each([
  ["夜的光影", "ye-de-guangying"],
  ["夜の海", "ye-no-hai"],
  ["ナイト・スーパー", "naito-supa"],
  ["ﾅｲﾄ", "naito"],
  ["밤의 빛", "bamui-bich"],
  ["밤의 빛".normalize("NFD"), "bamui-bich"],
  ["제3장", "je-3-jang"],
  ["แสงยามค่ำ", "aesng-yam-kham"],
  ["אור הלילה", "vr-hlylh"],
  ["रात की रोशनी", "rat-ki-rosni"],
  ["Tokyo 夜 2", "tokyo-ye-2"],
  ["4K夜 & Ночь 🔥", "4k-ye-and-noch"],
])("the title %s is romanized for the URL", (title, expected) => {
  expect(romanizedSlug(title)).toBe(expected);
  expect(mediaSlug(title, "abcdefgh")).toBe(`${expected}-abcdefgh`);
});

test("a title in a script that slugify knows has slugify's slug", () => {
  const titles = [
    "Über Größe",
    "Đêm Sài Gòn",
    "Αθήνα",
    "ليلة",
    "Белая ночь",
    "Ann\u2019s 1½ ﬁrst — 𝒩º Ⅷ",
    "🔥🔥",
  ];
  for (const title of titles) expect(romanizedSlug(title)).toBe(slugify(title));
  const letters = [
    [0x20, 0x36f],
    [0x400, 0x587],
    [0x620, 0x64a],
  ].map(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCharCode(code)));
  const others = fc.string({ unit: fc.oneof(...letters) });
  fc.assert(fc.property(others, (title) => romanizedSlug(title) === slugify(title)));
});
