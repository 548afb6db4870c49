import { expect, test } from "vitest";
import { CaptionsError, toWebVtt } from "./captions.server.ts";

const SRT =
  '1\r\n00:00:00,100 --> 00:00:00,900\r\n{\\an8}<font color="red">Café</font> <i>“5 €”</i> – Šárka\r\n';
const VTT = "WEBVTT\n\n00:00.100 --> 00:00.900\nCafé “5 €” – Šárka\n";
const SPECIAL = new Map([
  ["“", 0x93],
  ["”", 0x94],
  ["€", 0x80],
  ["–", 0x96],
  ["Š", 0x8a],
]);

const utf16le = (text: string) => Buffer.from(text, "utf16le");
const ENCODINGS: [string, (text: string) => Buffer][] = [
  ["UTF-8", (text) => Buffer.from(text)],
  ["UTF-8 with a mark", (text) => Buffer.from(`\uFEFF${text}`)],
  ["UTF-16LE", utf16le],
  ["UTF-16LE with a mark", (text) => utf16le(`\uFEFF${text}`)],
  ["UTF-16BE", (text) => utf16le(text).swap16()],
  ["UTF-16BE with a mark", (text) => utf16le(`\uFEFF${text}`).swap16()],
  ["Windows-1252", (text) => Buffer.from([...text].map((one) => SPECIAL.get(one) ?? one.charCodeAt(0)))],
];

test.each(ENCODINGS)("captions in %s become the same WebVTT", async (_, encode) => {
  const converted = await toWebVtt(encode(SRT), { isSubRip: true });
  expect(converted).toBe("WEBVTT\n\n00:00.100 --> 00:00.900\nCafé <i>“5 €”</i> – Šárka\n");
  expect(await toWebVtt(encode(VTT), { isSubRip: false })).toBe(VTT);
});

test("the letters of Latin-1 that Windows-1252 lacks are read as Latin-1", async () => {
  const file = Buffer.from("WEBVTT\n\n00:00.100 --> 00:00.900\nÀ ñ ÿ ¿\n", "latin1");
  expect(await toWebVtt(file, { isSubRip: false })).toContain("À ñ ÿ ¿");
});

test.each([
  ["00:00:05,000 --> 00:00:04,000", "a caption ends before it begins: 00:00:05.000 --> 00:00:04.000"],
  ["00:00:99,100 --> 00:01:00,000", "captions hold an unreadable time: 00:00:99.100 --> 00:01:00.000"],
  ["00:00:01 --> 00:00:02", "captions hold an unreadable time: 00:00:01 --> 00:00:02"],
  ["nothing", "captions hold no cue"],
])("SubRip with the time %j is refused", async (time, reason) => {
  const file = Buffer.from(`1\n${time}\nHello\n`);
  await expect(toWebVtt(file, { isSubRip: true })).rejects.toThrow(new CaptionsError(reason));
});

test.each([
  [Buffer.alloc(0), "captions must begin with WEBVTT"],
  [Buffer.from("WEBVTT\n\nHello\n"), "captions hold no cue"],
  [Buffer.from("\uFEFF00:00.100 --> 00:00.900\nHello\n"), "captions must begin with WEBVTT"],
  [Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x42]), "captions are damaged UTF-16"],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]), "captions must begin with WEBVTT"],
])("the file %j is refused", async (file, reason) => {
  await expect(toWebVtt(file, { isSubRip: false })).rejects.toThrow(new CaptionsError(reason));
});
