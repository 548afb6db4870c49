import { expect, it } from "vitest";
import { initials, shownName } from "./initials.ts";

it.each([
  ["Ada Lovelace", "AL"],
  ["Ada Lovelace Byron", "AB"],
  ["élodie d'arc", "ÉD"],
  ["𝒜da 𝒵", "𝒜𝒵"],
  ["", ""],
  ["\u{1f1e9}\u{1f1ea} Adler", "\u{1f1e9}\u{1f1ea}A"],
  ["Ada \u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "A\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
  ["\u0928\u093f\u0936\u093e", "\u0928\u093f"],
  ["\u200bAda \u3164 Byron \u2800", "AB"],
  ["\u00dfeta", "\u00df"],
])("the initials of %j are %j", (name, expected) => expect(initials(name)).toBe(expected));

it.each([null, "", "\u200b\u200b", "\u2800"])("an account with the name %j shows a visible one", (name) => {
  expect(shownName(name)).toBe("User Name");
});
