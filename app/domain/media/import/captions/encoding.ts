interface Decoded {
  text: string;
  /** What was assumed or damaged. */
  note: string | null;
}

/** By the languages that used them before UTF-8 (decision 195), with a script where the language has two. */
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
/** More damaged characters mean another encoding. */
const MAX_BAD_PART = 0.1;

/** Throws a RangeError for an unknown `encoding`, and a TypeError when the file is not in it. */
export function decodeCaptions(file: Uint8Array, language: string, encoding?: string): Decoded {
  const known = encoding ?? utf16Of(file);
  if (known !== null) {
    const text = decode(file, known);
    // One damaged character does not mean another encoding, even if it is the only one outside ASCII.
    const all = encoding === undefined ? text.length : Math.max(count(text, NOT_ASCII), 1 / MAX_BAD_PART);
    if (count(text, LOST) > all * MAX_BAD_PART) throw new TypeError(`not ${known}`);
    return { text, note: damageOf(text, LOST) };
  }
  const utf8 = decode(file, "utf-8");
  if (count(utf8, LOST) <= count(utf8, NOT_ASCII) * MAX_BAD_PART)
    return { text: utf8, note: damageOf(utf8, LOST) };
  const usual = usualEncoding(language);
  const text = decode(file, usual);
  const assumed = `read as ${usual}, which is usual for its language; if characters are wrong, save it as UTF-8`;
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
  const damaged = count(text, bad);
  return damaged === 0 ? null : `damaged characters: ${damaged}`;
}

/** Windows programs that save a text twice end lines with CR CR LF. */
export const LINE_END = /\r*\n|\r/;

function decode(file: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(file);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** By the byte order mark, or by the first character, which is ASCII in both formats. */
function utf16Of([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : null;
}
