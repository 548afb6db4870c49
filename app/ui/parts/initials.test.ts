import { expect, it } from "vitest";
import { initials } from "./initials.ts";

it.each([
  ["Ada Lovelace", "AL"],
  ["Ada Lovelace Byron", "AB"],
  ["  cher  ", "C"],
  ["élodie d'arc", "ÉD"],
  ["𝒜da 𝒵", "𝒜𝒵"],
  ["User Name", "UN"],
  ["", ""],
])("the initials of %j are %j", (name, expected) => expect(initials(name)).toBe(expected));
