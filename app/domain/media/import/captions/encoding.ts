interface Decoded {
  text: string;
  /** What was assumed or damaged. */
  note: string | null;
}

/** Usual before UTF-8 (decision 195). A script follows its language where it decides. */
const LANGUAGES: Record<string, string> = {
  "windows-1250": "bs cs hr hu pl ro sk sl sr-Latn",
  "windows-1251": "be bg kk mk ru sr uk",
  "windows-1253": "el",
  "windows-1254": "az tr",
  "windows-1255": "he",
  "windows-1256": "ar fa ur",
  "windows-1257": "et lt lv",
  "windows-1258": "vi",
  "windows-874": "th",
  big5: "yue zh-Hant",
  "euc-kr": "ko",
  gb18030: "zh",
  shift_jis: "ja",
};
const USUAL = new Map(
  Object.entries(LANGUAGES).flatMap(([encoding, all]) => all.split(" ").map((each) => [each, encoding])),
);
const WESTERN = "windows-1252";
const NOT_ASCII = /[^\0-\x7f]/g;
const LOST = /\uFFFD/g;
const BAD = /[\x80-\x9f\uFFFD\p{Co}]/gu;
/** More than a few damaged letters mean another encoding. */
const MAX_BAD_PART = 0.1;

/** Throws a RangeError for an unknown `encoding`, and a TypeError when the file is not in it. */
export function decodeCaptions(file: Uint8Array, language: string, encoding?: string): Decoded {
  const known = encoding ?? utf16Of(file);
  if (known !== null) {
    const text = decode(file, known);
    // One damaged letter does not mean another encoding, even if it is the only one outside ASCII.
    const letters = encoding === undefined ? text.length : Math.max(count(text, NOT_ASCII), 1 / MAX_BAD_PART);
    if (count(text, LOST) > letters * MAX_BAD_PART) throw new TypeError(`not ${known}`);
    return { text, note: damageOf(text, LOST) };
  }
  const utf8 = decode(file, "utf-8");
  if (isNearlyWhole(utf8, LOST)) return { text: utf8, note: damageOf(utf8, LOST) };
  const usual = usualEncoding(language);
  const text = decode(file, usual);
  const assumed = `read as ${usual}, which is usual for its language; if letters are wrong, save it as UTF-8`;
  const damage = damageOf(text, BAD);
  return { text, note: damage === null ? assumed : `${assumed}; ${damage}` };
}

function usualEncoding(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return USUAL.get(`${language}-${script}`) ?? USUAL.get(language) ?? WESTERN;
  } catch {
    return WESTERN;
  }
}

function damageOf(text: string, bad: RegExp): string | null {
  const letters = count(text, bad);
  return letters === 0 ? null : `damaged letters: ${letters}`;
}

/** Windows programs that save a text twice end lines with CR CR LF. */
export const LINE_END = /\r*\n|\r/;

function isNearlyWhole(text: string, bad: RegExp): boolean {
  return count(text, bad) <= count(text, NOT_ASCII) * MAX_BAD_PART;
}

function decode(file: Uint8Array, label: string): string {
  const { encoding } = new TextDecoder(label);
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  return isWide ? decodeUtf16(file, encoding) : new TextDecoder(encoding).decode(file);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

type Wide = "utf-16le" | "utf-16be";

/** U+0A00, which is unassigned, is a line feed read one byte off. */
const SHIFTED = /[\uFFFD\u0A00]/;
const LOST_LETTER = "\uFFFD";
const MARK = "\uFEFF";

/** By the byte order mark, or by the first character, which is ASCII in both formats. */
function utf16Of([first, second]: Uint8Array): Wide | null {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : null;
}

/** A lost byte shifts all bytes after it, so each line is then decoded by itself. */
function decodeUtf16(file: Uint8Array, encoding: Wide): string {
  const decode = (bytes: Uint8Array) => new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const text = decode(file);
  if (!SHIFTED.test(text)) return withoutMark(text);
  const lines = linesOf(file, encoding === "utf-16le" ? [10, 0] : [0, 10]);
  const pageOf = (letter: string) => letter.charCodeAt(0) >> 8;
  const whole = lines.filter(({ length }) => length % 2 === 0);
  const pages = new Set([0, pageOf(MARK), ...whole.flatMap((line) => decode(line).split("").map(pageOf))]);
  const mended = lines.map((line) => {
    if (line.length % 2 === 0) return decode(line);
    const letters = decode(line).split("");
    const at = letters.findIndex((letter) => letter === LOST_LETTER || !pages.has(pageOf(letter)));
    return letters.slice(0, at).join("") + LOST_LETTER + decode(line.subarray(1)).slice(at);
  });
  return withoutMark(mended.join("\n"));
}

function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

function linesOf(file: Uint8Array, lineEnd: number[]): Uint8Array[] {
  const bytes = Buffer.from(file);
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at >= 0; ) {
    at = bytes.indexOf(Buffer.from(lineEnd), from);
    lines.push(bytes.subarray(from, at < 0 ? bytes.length : at));
    from = at + 2;
  }
  return lines;
}
