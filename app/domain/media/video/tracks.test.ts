import { expect, test } from "vitest";
import {
  chooseAudio,
  choosePicture,
  chooseTexts,
  LANGUAGE_TAG,
  listAudioTracks,
  type Track,
} from "./tracks.ts";

function audio(index: number, more: Partial<Track> = {}): Track {
  return { index, codec_type: "audio", codec_name: "aac", sample_fmt: "fltp", ...more };
}

const DEFAULT = { disposition: { default: 1 } };
const HANDLER = { handler_name: "SoundHandler" };

test.each<[string, Track[], number | null]>([
  ["the only one", [audio(1)], 1],
  ["the default one", [audio(1), audio(2, DEFAULT)], 2],
  ["the first that is no commentary", [audio(1, { disposition: { comment: 1 } }), audio(2), audio(3)], 2],
  ["no description for the blind", [audio(1, { disposition: { visual_impaired: 1 } }), audio(2)], 2],
  ["none that says it is a commentary", [audio(1, { tags: { title: "Cast Commentary" } }), audio(2)], 2],
  [
    "no commentary of an MP4, which calls its first one the default",
    [
      audio(1, { ...DEFAULT, tags: { handler_name: "Commentary" } }),
      audio(2, { tags: { handler_name: "Main" } }),
    ],
    2,
  ],
  [
    "among default ones none that is called a commentary",
    [audio(1, { ...DEFAULT, tags: { title: "Director's commentary" } }), audio(2, DEFAULT)],
    2,
  ],
  ["the default one, whatever its handler", [audio(1), audio(2, { ...DEFAULT, tags: HANDLER })], 2],
  ["one that can be decoded", [audio(1, { ...DEFAULT, sample_fmt: undefined }), audio(2)], 2],
  ["a commentary rather than nothing", [audio(1, { disposition: { comment: 1 } })], 1],
  ["none that cannot be decoded", [audio(1, { sample_fmt: undefined })], null],
])("several audio tracks: %s is heard", (_, tracks, index) => {
  expect(chooseAudio(tracks)?.index ?? null).toBe(index);
});

const MONO = { channels: 1, tags: HANDLER };

test.each<[string, Track[], (number | undefined)[][]]>([
  ["two of a camera", [audio(1, MONO), audio(2, MONO)], [[1, 2]]],
  [
    "four of a camera",
    [1, 2, 3, 4].map((index) => audio(index, MONO)),
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["two, the second of which is the default", [audio(1, MONO), audio(2, { ...MONO, ...DEFAULT })], [[1, 2]]],
  ["one", [audio(1, MONO)], [[1, undefined]]],
  [
    "stereo",
    [audio(1, { channels: 2 }), audio(2, { channels: 2 })],
    [
      [1, undefined],
      [2, undefined],
    ],
  ],
  [
    "with a title",
    [audio(1, MONO), audio(2, { channels: 1, tags: { title: "Room" } })],
    [
      [1, undefined],
      [2, undefined],
    ],
  ],
  [
    "with two languages",
    [
      audio(1, { channels: 1, tags: { language: "eng" } }),
      audio(2, { channels: 1, tags: { language: "fre" } }),
    ],
    [
      [1, undefined],
      [2, undefined],
    ],
  ],
  [
    "of two lengths",
    [audio(1, MONO), audio(20, MONO)],
    [
      [1, undefined],
      [20, undefined],
    ],
  ],
])("mono audio tracks, %s, are pairs of left and right %j", (_, tracks, pairs) => {
  const { audioTracks } = listAudioTracks(tracks, ({ index }) => (index < 10 ? 60 : 55));
  expect(audioTracks.map(({ index, right }) => [index, right])).toEqual(pairs);
});

function picture(index: number, more: Partial<Track> = {}): Track {
  return { index, codec_type: "video", width: 640, height: 360, pix_fmt: "yuv420p", ...more };
}

test.each<[string, Track[], number | null]>([
  ["the default one", [picture(0), picture(1, DEFAULT)], 1],
  ["no cover", [picture(0, { disposition: { attached_pic: 1, default: 1 } }), picture(1)], 1],
  ["no thumbnails", [picture(0, { disposition: { timed_thumbnails: 1 } }), picture(1)], 1],
  ["one that can be decoded", [picture(0, { ...DEFAULT, pix_fmt: undefined }), picture(1)], 1],
  ["none", [audio(0)], null],
])("several pictures: %s is shown", (_, tracks, index) => {
  expect(choosePicture(tracks)?.index ?? null).toBe(index);
});

function text(index: number, language: string, more: Partial<Track> = {}): Track {
  return { index, codec_type: "subtitle", codec_name: "subrip", tags: { language }, ...more };
}

test("a video's captions are limited, external ones included, and a line says so", () => {
  const tracks = Array.from({ length: 30 }, (_, at) => text(at + 1, `en-x-${at}`));
  const { texts, leftOut } = chooseTexts(tracks, ["de", "fr"]);
  expect(texts.map(({ index }) => index)).toEqual(Array.from({ length: 18 }, (_, at) => at + 1));
  expect(leftOut).toEqual(["only 18 of its 30 captions are imported"]);
});

test("captions are imported once per language, with their own label, and the others are reported", () => {
  const { texts, leftOut } = chooseTexts(
    [
      text(2, "ger", { disposition: { forced: 1 } }),
      text(3, "ger"),
      text(4, "pob", { tags: { language: "por", title: "Português (Brasil)" } }),
      text(5, "eng", { codec_name: "hdmv_pgs_subtitle" }),
      text(6, "fre"),
      text(7, "not a language"),
      text(8, "en-x-sdh"),
      text(9, "ita", { tags: { language: "ita", title: `${"x".repeat(59)}😀` } }),
    ],
    ["FR"],
  );
  expect(texts.map(({ index, language, label }) => [index, language, label])).toEqual([
    [3, "de", "Deutsch"],
    [4, "pt-BR", "Português (Brasil)"],
    [7, "und", "Captions"],
    [8, "en-x-sdh", "English"],
    [9, "it", "x".repeat(59)],
  ]);
  expect(leftOut).toEqual([
    "embedded captions were left out: the video already has captions in the language of Français",
    "embedded captions were left out: the video already has captions in the language of Deutsch",
    "embedded captions were left out: English is not text",
  ]);
});

test.each([
  ["For the \u202efaed\u202c", "For the faed"],
  ["\u2067Notes\u0001 1\n", "Notes 1"],
  ["\u202e\u3164", "Deutsch"],
])("a label inside a file (%j) is one that the studio saves: %s", (title, expected) => {
  const { texts } = chooseTexts([text(1, "ger", { tags: { language: "ger", title } })], []);
  expect(texts.map(({ label }) => label)).toEqual([expected]);
});

test("captions without a language are all kept, each under its own name", () => {
  const named = (index: number, title: string | undefined, language?: string) =>
    text(index, "", { tags: { ...(title && { title }), ...(language && { language }) } });
  const tracks = [
    named(1, "English"),
    named(2, "Français"),
    named(3, undefined, "und"),
    named(4, undefined),
    named(5, "Songs", "mul"),
    named(6, "Songs", "mul"),
    named(7, undefined, "not a language"),
  ];
  const { texts, leftOut } = chooseTexts(tracks, ["und"]);
  expect(texts.map(({ language, label }) => [language, label])).toEqual([
    ["und-x-2", "English"],
    ["und-x-3", "Français"],
    ["und-x-4", "Captions"],
    ["und-x-5", "Captions 2"],
    ["mul", "Songs"],
    ["mul-x-2", "Songs 2"],
    ["und-x-6", "Captions 3"],
  ]);
  expect(texts.every(({ language }) => LANGUAGE_TAG.test(language))).toBe(true);
  expect(leftOut).toEqual([]);
});

test.each([
  ["chi", ["简体中文", "繁體中文"], ["zh-Hans", "zh-Hant"]],
  ["zho", ["Chinese (Simplified)", "Chinois traditionnel"], ["zh-Hans", "zh-Hant"]],
  ["chi", ["CHS", "正體中文"], ["zh-Hans", "zh-Hant"]],
  ["zh-Hans", ["中文", "English & 简体"], ["zh-Hans"]],
  ["chi", ["简繁双语", "Chinese"], ["zh"]],
  ["srp", ["Srpski (latinica)", "Српски (ћирилица)"], ["sr-Latn", "sr-Cyrl"]],
  ["por", ["Português (Brasil)", "Português (Portugal)"], ["pt-BR", "pt-PT"]],
  ["spa", ["Español", "Español (Latinoamérica)"], ["es", "es-419"]],
  ["eng", ["English", "Traditional"], ["en"]],
])("captions of %s that are called %j have the languages %j", (code, titles, languages) => {
  const tracks = titles.map((title, at) => text(at + 1, "", { tags: { language: code, title } }));
  const { texts } = chooseTexts(tracks, []);
  expect(texts.map(({ language }) => language)).toEqual(languages);
  expect(new Set(texts.map(({ label }) => label)).size).toBe(languages.length);
});
