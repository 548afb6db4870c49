import { expect, test } from "vitest";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { parseAddress, readAddress } from "./mail-addresses.ts";

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

test.each([
  "mailto:a@b.example",
  "MAILTO:A@b.example?subject=Hello%20you&body=x",
  "Ann <a@b.example>",
  '"Smith, Ann" <mailto:a@b.example>,',
  "<a@b.example>",
  "a@b.example.",
  " a@b.example; ",
  "\u201ca@b.example\u201d",
  "'a@b.example'",
  "(a@b.example)",
  "E-Mail: a@b.example",
  "E‑mail address:\u00a0a@b.example\n",
  "ａ＠ｂ．ｅｘａｍｐｌｅ。",
  "a@b.example<mailto:a@b.example>",
  "A@b.example <a@b.example>",
  '"a@b.example" <a@b.example>;',
  "[a@b.example](mailto:a@b.example)",
  "a@b.example (mailto:a@b.example)",
  "a@b.example [mailto:a@b.example]",
  "a@b.example…",
])("one complete address with something around it is read: %j", (typed) => {
  expect(readAddress(typed)).toBe("a@b.example");
});

test.each([
  "a@b.example, c@d.example",
  "c@d.example <a@b.example>",
  "[c@d.example](mailto:a@b.example)",
  "c@d.example<mailto:a@b.example>",
  "Ann, c@d.example <a@b.example>",
  "a@b.example (c@d.example) <a@b.example>",
  "Ann <a@b.example> <c@d.example>",
  "Ann <a@b.example>\r\nBcc: c@d.example",
  "ann smith@b.example",
  "Ann a@b.example",
  "a@b.example:25",
  "https://a@b.example",
  "mailto:",
  "mailto:a@b.example,c@d.example",
  "Ann <>",
])("what could be another address, or none, is not guessed: %j", (typed) => {
  expect(readAddress(typed)).toBeNull();
});

test("an address that is complete as it stands is not changed by what could stand around one", () => {
  for (const address of ["'a'@b.example", "{a}@b.example", "a?b@c.example", "//a@b.example"])
    expect(readAddress(address)).toBe(address);
});
