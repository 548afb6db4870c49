import { expect, test } from "vitest";
import { parseAddress } from "./address.ts";

test("an address that could hold a second recipient or header is refused", () => {
  const tails = [
    "\r\nBcc: x@evil.example",
    "\n",
    "\0",
    ",x@evil.example",
    ";x@evil.example",
    " <x@evil.example>",
    "\t",
  ];
  for (const tail of tails) {
    expect(parseAddress(`a@example.com${tail}`)).toBeNull();
    expect(parseAddress(`${tail}a@example.com`)).toBeNull();
    expect(parseAddress(`a${tail}@example.com`)).toBeNull();
  }
  expect(parseAddress(" First.Last+tag@Example.com ")).toBe("first.last+tag@example.com");
});
