import { expect, test } from "vitest";
import { readAlarmAddresses } from "./alarm-addresses.server.ts";

test("addresses are read one a line, written alike, and each counts once", () => {
  expect(readAlarmAddresses("Ann@Example.com\n\n bob@b\u00fccher.example \nann@example.com\n")).toEqual({
    addresses: ["ann@example.com", "bob@xn--bcher-kva.example"],
    error: null,
  });
  expect(readAlarmAddresses("")).toEqual({ addresses: [], error: null });
});

test.each([
  ["שלום", "Line 1 must be one email address: “\u2068שלום\u2069”."],
  ["ann@example.com\n\nnobody", "Line 3 must be one email address: “nobody”."],
  [
    "ann@example.com, bob@example.com",
    "Line 1 must be one email address: “ann@example.com, bob@example.com”.",
  ],
  ["a@b\nc\nann@example.com\nd", "Lines 1, 2 and 4 must each be one email address."],
  ["a\nb\nc\nd\ne\nf", "Lines 1, 2, 3, 4, 5 and others must each be one email address."],
  [
    `${"a".repeat(65)}@example.com`,
    expect.stringMatching(/^Line 1 must be one email address: “a+@example.com”\.$/),
  ],
])("a wrong line of %j is named by its number as it was typed", (text, error) => {
  expect(readAlarmAddresses(text).error).toEqual(error);
});

test("five addresses fit, and an address that comes twice counts once", () => {
  const lines = [1, 2, 3, 4, 5].map((number) => `a${number}@example.com`);
  expect(readAlarmAddresses([...lines, ...lines].join("\n")).error).toBeNull();
  expect(readAlarmAddresses([...lines, "b@example.com"].join("\n")).error).toBe(
    "The list has 6 addresses. It can have up to 5.",
  );
});
