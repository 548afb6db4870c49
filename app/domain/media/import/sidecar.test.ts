import { expect, test } from "vitest";
import { parseSidecar } from "./sidecar.ts";

test("names and titles are read without the blanks and invisible characters around them", () => {
  expect(parse('title: "\\u00a0Velvet Hours\\u200b"\ncreators: ["\\ufeffMara Voss"]')).toEqual({
    title: "Velvet Hours",
    creators: ["Mara Voss"],
  });
});

test.each(['title: "\\u3164"', 'creators: ["\\u2800"]', 'tags: ["\\u200b"]', 'title: "\\u0301"'])(
  "%s is refused, because nothing of it would be seen",
  (text) => expect(() => parse(text)).toThrow(/must have a visible letter/),
);

test.each([
  ["Null", { title: "Null" }],
  ["NULL", { title: "NULL" }],
  ['"null"', { title: "null" }],
  ["null", {}],
  ["~", {}],
  ["", {}],
])("the title %s is text, unless it is empty or a program's word for nothing", (value, read) => {
  expect(parse(`title: ${value}\ntags: [${value || "~"}]`)).toEqual({
    ...read,
    tags: "title" in read ? [read.title] : [],
  });
});

test("the language of captions has one name", () => {
  const read = (language: string) =>
    parse(`captions: [{ language: ${language}, label: x, file: a.srt }]`).captions;
  expect(["rus", "chi-tw", "PT-br", "fil", "xyz-qqq"].map((each) => read(each)?.[0]?.language)).toEqual([
    ...["ru", "zh-TW", "pt-BR", "fil", "xyz-qqq"],
  ]);
  const two = ["fra", "fr"].map((language) => `{ language: ${language}, label: x, file: a.srt }`);
  expect(() => parse(`captions: [${two.join()}]`)).toThrow("has two entries for the language");
});

test("the refusal of a long captions label says by how much it is too long", () => {
  const label = (length: number) =>
    parse(`captions: [{ language: en, label: ${"x".repeat(length)}, file: a.srt }]`);
  expect(label(60).captions?.[0]?.label).toHaveLength(60);
  expect(() => label(61)).toThrow("captions.0.label: The label is 1 character too long. The limit is 60.");
  expect(() => label(62)).toThrow("2 characters too long");
});

const tooMany = Array.from({ length: 21 }, () => "{ language: en, label: x, file: a.srt }").join();

test.each([
  [`captions: [${tooMany}]`, "captions: has more than 20 entries"],
  ["captions: [{ label: x, file: a.srt }]", "captions.0.language: must be a language tag"],
  ["captions: [a.srt]", "captions.0: must have the keys language, label and file"],
  ["photos: [1.jpg]", "photos.0: must have the key file"],
  ["- title", "the file: must have keys"],
  [
    "tags:\n\t- dusk",
    /^not readable as YAML: Tabs are not allowed as indentation at line 2, column 1 \(indent with spaces\)$/,
  ],
  ["title: a: b", /at line 1, column 8 \(put the text in quotes\)$/],
])("%s is refused with what it must be", (text, reason) => {
  expect(() => parse(text)).toThrow(reason);
});

function parse(text: string) {
  return parseSidecar(new TextEncoder().encode(text));
}
