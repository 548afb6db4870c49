import { expect, test } from "vitest";
import { CaptionsError, toWebVtt } from "./captions.ts";
import { subStationToSubRip } from "./substation.ts";

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

test.each(ENCODINGS)("captions in %s become the same WebVTT", (_, encode) => {
  expect(toWebVtt(encode(SRT)).vtt).toBe(
    "WEBVTT\n\n00:00.100 --> 00:00.900 line:0\nCafé <i>“5 €”</i> – Šárka\n",
  );
  expect(toWebVtt(encode(VTT)).vtt).toBe(VTT);
});

test("the letters of Latin-1 that Windows-1252 lacks are read as Latin-1", () => {
  const file = Buffer.from("WEBVTT\n\n00:00.100 --> 00:00.900\nÀ ñ ÿ ¿\n", "latin1");
  expect(toWebVtt(file).vtt).toContain("À ñ ÿ ¿");
});

test.each([
  ["I <3 you", "I &lt;3 you"],
  ["if a < b && c > d", "if a &lt; b &amp;&amp; c &gt; d"],
  ["a MyValue<String> here", "a MyValue&lt;String&gt; here"],
  ["AT&T, AT&amp;T, R&D;", "AT&amp;T, AT&amp;T, R&amp;D;"],
  ["Step 1 --> Step 2", "Step 1 --&gt; Step 2"],
  ["<I>so</I> <b>what</b>", "<i>so</i> <b>what</b>"],
  ['<font color="#fff">one<br/>two</font>', "one\ntwo"],
  ["it&#39;s &quot;new&quot; &#x3c;3", 'it\'s "new" &lt;3'],
  ["{\\fad(9,9)}up {y:i}here {kept}", "up here {kept}"],
  ["<<<", "&lt;&lt;&lt;"],
  ["abc <x &amp; y>", "abc &lt;x &amp; y&gt;"],
  ["<v Bob>hi</v>", "&lt;v Bob&gt;hi&lt;/v&gt;"],
])("SubRip's %j is shown as it is written", (text, shown) => {
  expect(toWebVtt(subRip("00:00:00,500 --> 00:00:01,400", text)).vtt).toBe(
    `WEBVTT\n\n00:00.500 --> 00:01.400\n${shown}\n`,
  );
});

test.each([
  ["{\\an8}at the top", "00:00.500 --> 00:01.400 line:0\nat the top"],
  ["{\\a6}at the top", "00:00.500 --> 00:01.400 line:0\nat the top"],
  ["{\\i1\\an4}left", "00:00.500 --> 00:01.400 line:50% align:start\nleft"],
  ["{\\an3}right", "00:00.500 --> 00:01.400 align:end\nright"],
])("SubRip's %j keeps its place", (text, cue) => {
  expect(toWebVtt(subRip("00:00:00,500 --> 00:00:01,400", text)).vtt).toBe(`WEBVTT\n\n${cue}\n`);
});

const SUBSTATION = [
  ...["[Script Info]", "PlayResX: 640", "PlayResY: 360", "", "[V4+ Styles]"],
  ...["Format: Name, Fontname, Alignment", "Style: Default,Arial,2", "Style: Sign,Arial,8", "", "[Events]"],
];

test.each([
  ["Default,,0,0,0,,First line\\NSecond\\hline", "\nFirst line\nSecond\u00a0line"],
  ["Default,,0,0,0,,5 < 6 & {a note}done, and on", "\n5 &lt; 6 &amp; done, and on"],
  ["Sign,,0,0,0,,above", " line:0\nabove"],
  ["Sign,,0,0,0,,{\\an1\\fad(9,9)}below", " align:start\nbelow"],
  ["Default,,0,0,0,,{\\pos(320,20)}above", " line:0\nabove"],
  ["*Default,,0,0,0,,{\\move(600,200,0,0)}at the right", " line:50% align:end\nat the right"],
  ["Default,,0,0,0,,one line\\nwhere it fits", "\none line where it fits"],
  ["Default,,0,0,0,,if a<b &amp; b>c", "\nif a&lt;b &amp;amp; b&gt;c"],
  ["Default,,0,0,0,,<i>an example</i> of \\{y:i\\}", "\n&lt;i&gt;an example&lt;/i&gt; of {y:i}"],
  ["Default,,0,0,0,,{\\i1}so{\\i0} {\\k20}what{\\c&HFF&}", "\n<i>so</i> what"],
  ["Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}a shape", "\na shape"],
  ["Default,,0,0,0,,\\{kept\\} and { open", "\n{kept} and { open"],
])("SubStation's %j is shown as words at their place", (event, shown) => {
  const events = [
    `Dialogue: 0,0:00:00.50,0:00:01.40,${event}`,
    `Dialogue: 1,0:00:00.50,0:00:01.40,${event}`,
    "Comment: 0,0:00:00.50,0:00:01.40,Default,,0,0,0,,a note of the translator",
  ];
  const subRip = subStationToSubRip([...SUBSTATION, ...events].join("\r\n"));
  expect(toWebVtt(Buffer.from(subRip)).vtt).toBe(`WEBVTT\n\n00:00.500 --> 00:01.400${shown}\n`);
});

test("a script that wraps nothing by itself breaks its lines at \\n", () => {
  const event = "Dialogue: 0,0:00:00.50,0:00:01.40,Default,,0,0,0,,First line\\nSecond line";
  const script = ["[Script Info]", "WrapStyle: 2", "[Events]", event].join("\n");
  expect(toWebVtt(Buffer.from(subStationToSubRip(script))).vtt).toContain("\nFirst line\nSecond line\n");
});

test("styles of the older SubStation count places in their own way", () => {
  const styles = ["[V4 Styles]", "Format: Name, Alignment", "Style: Up,6", "Style: Middle,9", "[Events]"];
  const event = (style: string) => `Dialogue: Marked=0,0:00:00.50,0:00:01.40,${style},,0,0,0,,${style}`;
  const subRip = subStationToSubRip([...styles, event("Up"), event("Middle")].join("\n"));
  expect(toWebVtt(Buffer.from(subRip)).vtt).toBe(
    "WEBVTT\n\n00:00.500 --> 00:01.400 line:0\nUp\n\n00:00.500 --> 00:01.400 line:50% align:start\nMiddle\n",
  );
});

test.each(["{", "{\\an1", "{\\p1", "\\", "\\pos(1", " "])("a long text of %j takes no time", (part) => {
  const words = part.repeat(60_000);
  const file = [
    ...SUBSTATION,
    `Dialogue: 0,0:00:00.50,0:00:01.40,Default,,0,0,0,,${words}`,
    `Dialogue:${words}`,
  ];
  const begin = process.cpuUsage();
  subStationToSubRip(file.join("\n"));
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(1_000);
});

test("a text that Windows saved twice has the same captions", () => {
  const twice = (text: string) => new TextEncoder().encode(text.replaceAll("\n", "\r\r\n"));
  const times = ["00:00:00,500 --> 00:00:01,400", "00:00:02,500 --> 00:00:03,400"];
  const subRips = twice(`1\n${times[0]}\nHello\n\n2\n${times[1]}\nagain\n`);
  const shown = "WEBVTT\n\n00:00.500 --> 00:01.400\nHello\n\n00:02.500 --> 00:03.400\nagain\n";
  expect(toWebVtt(subRips).vtt).toBe(shown);
  expect(toWebVtt(twice(shown)).vtt).toBe(shown);
});

test("WebVTT keeps its own tags, settings and styles, and escapes the rest", () => {
  const file = [
    "WEBVTT - a title\nKind: captions",
    "STYLE\n::cue(.red) { color: red }",
    "NOTE nobody reads this",
    "first\n00:00.500 --> 01:00:01.400 line:0 align:start\n<v.loud Bob &amp; Co>Hi</v> <c.red>red</c> <00:00.700><3 & <B>",
    "NOTE between",
    "00:02,500-->00:03,5\n<ruby>a<rt>b</rt></ruby> &lrm;\n",
  ];
  expect(toWebVtt(Buffer.from(file.join("\n\n"))).vtt).toBe(
    [
      "WEBVTT - a title\nKind: captions",
      "STYLE\n::cue(.red) { color: red }",
      "00:00.500 --> 01:00:01.400 line:0 align:start\n<v.loud Bob &amp; Co>Hi</v> <c.red>red</c> <00:00.700>&lt;3 &amp; <b>",
      "00:02.500 --> 00:03.500\n<ruby>a<rt>b</rt></ruby> &lrm;\n",
    ].join("\n\n"),
  );
});

test.each([
  ["00:00:00,50 --> 00:00:01,40", "00:00.500 --> 00:01.400"],
  ["0:0:4,8 --> 0:0:7,4", "00:04.800 --> 00:07.400"],
  ["00:00:01.5000 --> 00:00:02.5", "00:01.500 --> 00:02.500"],
  ["00:00:01 --> 00:00:02", "00:01.000 --> 00:02.000"],
  ["00:01,500 --> 00:02,000", "00:01.500 --> 00:02.000"],
  ["00:00:01:500 --> 00:00:02:000", "00:01.500 --> 00:02.000"],
  ["00: 00: 01, 500 -> 00: 00: 02, 000", "00:01.500 --> 00:02.000"],
  ["00:00:99,100 --> 00:02:00,000  X1:0 X2:10", "01:39.100 --> 02:00.000"],
  ["100:00:01,000 --> 100:00:02,000", "100:00:01.000 --> 100:00:02.000"],
])("the times %j are read", (times, read) => {
  expect(toWebVtt(subRip(times, "Hello")).vtt).toBe(`WEBVTT\n\n${read}\nHello\n`);
});

test("a caption without time or with an unreadable one is left out with a line, and an empty one without", () => {
  const cues = [
    "1\n00:00:00,500 --> 00:00:01,400\nHello\n",
    "2\n00:00:01,500 --> 00:00:01,500\n(pause)\n",
    "3\n00:00:05,000 --> 00:00:04,000\nbackwards\n",
    "4\n00:0o:06,000 --> 00:00:07,000\nmistyped\n",
    "5\n00:00:08,000 --> 00:00:09,000\n<i> </i>\n",
    "6\n00:00:10,000 --> 00:00:11,000\nafter\n\na blank line\n7\n00:00:12,000 --> 00:00:13,000\nlast",
  ];
  const { vtt, notes } = toWebVtt(Buffer.from(cues.join("\n")));
  expect(vtt).toBe(
    [
      "WEBVTT",
      "00:00.500 --> 00:01.400\nHello",
      "00:10.000 --> 00:11.000\nafter\na blank line",
      "00:12.000 --> 00:13.000\nlast\n",
    ].join("\n\n"),
  );
  expect(notes).toEqual([
    "line 6 was left out, because it has no length: (pause)",
    "line 10 was left out, because it has no length: backwards",
    "line 14 was left out, because its time cannot be read: mistyped",
  ]);
});

test.each([
  [Buffer.alloc(0), "it contains no captions"],
  [Buffer.from("only words\n"), "it contains no captions"],
  [Buffer.from("WEBVTT\n\nHello\n"), "it contains no captions"],
  [
    Buffer.from("1\n00:00:05,000 --> 00:00:04,000\nHello\n"),
    "line 2 was left out, because it has no length: Hello",
  ],
  [
    Buffer.from("[Script Info]\n\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hello\n"),
    "it is SubStation Alpha (ASS or SSA), which can only be read inside videos; save it as SRT or WebVTT",
  ],
  [Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x42]), "it is damaged UTF-16"],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]), "it contains no captions"],
])("the file %j is refused", (file, reason) => {
  expect(() => toWebVtt(file)).toThrow(new CaptionsError(reason));
});

/** Texts in encodings from before UTF-8, which Node cannot write. */
const OLDER: [language: string, encoding: string, text: string, hex: string][] = [
  ["ru", "windows-1251", "Привет, как дела?", "cff0e8e2e5f22c20eae0ea20e4e5ebe03f"],
  ["pl", "windows-1250", "Zażółć gęślą jaźń", "5a61bff3b3e62067ea9c6cb9206a619ff1"],
  ["zh-CN", "gb18030", "你好，世界", "c4e3bac3a3accac0bde7"],
  ["ja", "shift_jis", "こんにちは", "82b182f182c982bf82cd"],
  ["zh-TW", "big5", "你好，世界", "a741a66ea141a540acc9"],
  ["el", "windows-1253", "Καλημέρα", "cae1ebe7ecddf1e1"],
  ["ko", "euc-kr", "안녕하세요", "bec8b3e7c7cfbcbcbfe4"],
  ["fr", "windows-1252", "Ça a été", "c761206120e974e9"],
  ["tr", "windows-1254", "Günaydın, nasılsın?", "47fc6e617964fd6e2c206e6173fd6c73fd6e3f"],
];

test.each(OLDER)("captions in %s are read as %s, and a line says so", (language, encoding, text, hex) => {
  const { vtt, notes } = toWebVtt(subRip("00:00:00,500 --> 00:00:01,400", Buffer.from(hex, "hex")), {
    language,
  });
  expect(vtt).toBe(`WEBVTT\n\n00:00.500 --> 00:01.400\n${text}\n`);
  expect(notes).toEqual([
    `read as ${encoding}, which is usual for its language; if characters are wrong, save it as UTF-8`,
  ]);
});

test("a named encoding is used without a line, and one that the file is not in is refused", () => {
  const file = subRip("00:00:00,500 --> 00:00:01,400", Buffer.from("cff0e8e2e5f2", "hex"));
  expect(toWebVtt(file, { language: "ja", encoding: "cp1251" })).toEqual({
    vtt: "WEBVTT\n\n00:00.500 --> 00:01.400\nПривет\n",
    notes: [],
  });
  expect(() => toWebVtt(file, { encoding: "utf-8" })).toThrow("it is not utf-8");
});

function subRip(times: string, text: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`1\n${times}\n`), Buffer.from(text as Uint8Array), Buffer.from("\n")]);
}
