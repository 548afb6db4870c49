import { expect, test } from "vitest";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { parseAddress } from "./mail-addresses.ts";

test("an address that could hold a second recipient or header is refused", () => {
  const tails = ["\r\nBcc: x@evil.example", "\0", ",x@evil.example", ";x@evil.example", " <x@evil.example>"];
  for (const tail of tails) {
    expect(parseAddress(`a@example.com${tail}`)).toBeNull();
    expect(parseAddress(`${tail}a@example.com`)).toBeNull();
    expect(parseAddress(`a${tail}@example.com`)).toBeNull();
    expect(parseAddress(`a@bücher${tail}.example`)).toBeNull();
  }
  for (const blank of ["\n", "\r\n", "\t", "\u00a0"]) {
    expect(parseAddress(`a${blank}@example.com`)).toBeNull();
    expect(parseAddress(`${blank}a@example.com${blank}`)).toBe("a@example.com");
  }
  expect(parseAddress(" First.Last+tag@Example.com ")).toBe("first.last+tag@example.com");
});

test("an address is not longer than mail servers take, counted as they count", () => {
  const labels = `${"ü".repeat(50)}.`.repeat(5);
  expect(parseAddress(`a@${labels}example`)).toBeNull();
  expect(parseAddress(`${"a".repeat(65)}@example.com`)).toBeNull();
});

test.each(["ada@xn--bcher-kva.example", "ada@example.com", "ada@xn--zz.example"])(
  "the stored address %s is the same when it is parsed again, and what is shown of it means the same",
  (stored) => {
    expect(parseAddress(stored)).toBe(stored);
    expect(parseAddress(shownAddress(stored))).toBe(stored);
  },
);
