import { expect, test } from "vitest";
import { parseSidecar } from "./sidecar.ts";

test("names and titles are read without the blanks and invisible signs beside them", () => {
  expect(parse('title: "\\u00a0Velvet Hours\\u200b"\ncreators: ["\\ufeffMara Voss"]')).toEqual({
    title: "Velvet Hours",
    creators: ["Mara Voss"],
  });
});

test.each(['title: "\\u3164"', 'creators: ["\\u2800"]', 'tags: ["\\u200b"]', 'title: "\\u0301"'])(
  "%s is refused, because nothing of it would be seen",
  (text) => expect(() => parse(text)).toThrow(/can be seen/),
);

function parse(text: string) {
  return parseSidecar(new TextEncoder().encode(text));
}
