import jschardet from "jschardet";
import { canonicalLanguage } from "../../video/tracks.ts";

interface Decoded {
  text: string;
  /** Says what was guessed; null when nothing was. */
  note: string | null;
}

/** The encodings of each language before UTF-8, the usual one first. */
const OF_LANGUAGE: Record<string, string[]> = {
  ar: ["windows-1256"],
  az: ["windows-1254"],
  be: ["windows-1251", "koi8-r", "ibm866"],
  bg: ["windows-1251", "koi8-r", "ibm866"],
  bs: ["windows-1250", "iso-8859-2"],
  cs: ["windows-1250", "iso-8859-2"],
  el: ["windows-1253", "iso-8859-7"],
  et: ["windows-1257", "windows-1252"],
  fa: ["windows-1256"],
  he: ["windows-1255"],
  hr: ["windows-1250", "iso-8859-2"],
  hu: ["windows-1250", "iso-8859-2"],
  ja: ["shift_jis", "euc-jp"],
  kk: ["windows-1251"],
  ko: ["euc-kr"],
  lt: ["windows-1257"],
  lv: ["windows-1257"],
  mk: ["windows-1251"],
  pl: ["windows-1250", "iso-8859-2"],
  ro: ["windows-1250", "iso-8859-2"],
  ru: ["windows-1251", "koi8-r", "ibm866"],
  sk: ["windows-1250", "iso-8859-2"],
  sl: ["windows-1250", "iso-8859-2"],
  sr: ["windows-1251", "windows-1250"],
  th: ["windows-874"],
  tr: ["windows-1254"],
  uk: ["windows-1251", "koi8-u", "ibm866"],
  ur: ["windows-1256"],
  vi: ["windows-1258"],
  zh: ["gb18030", "big5"],
};
const TRADITIONAL = ["big5", "gb18030"];
const WESTERN = "windows-1252";
const ENCODINGS = [...new Set([...Object.values(OF_LANGUAGE).flat(), WESTERN])];
/** Other names that the detector uses. */
const ALIASES: Record<string, string> = {
  cp874: "windows-874",
  cp932: "shift_jis",
  cp949: "euc-kr",
  cp866: "ibm866",
};
const SIGN_INSIDE =
  /[\p{sc=Latin}\p{sc=Cyrl}\p{sc=Grek}][^\p{L}\p{M}\p{N}\0-\x7f’‘·–—…]+[\p{sc=Latin}\p{sc=Cyrl}\p{sc=Grek}]/u;
/** The share of words that may look wrong: a name, a typing error. */
const MAX_ODD_WORDS = 0.3;
const NOT_ASCII = /[^\0-\x7f]/g;
const LOST = /\uFFFD/g;
/** Nobody writes these: in a text with more than a few, the encoding is a wrong one. */
const BAD = /[\x80-\x9f\uFFFD\p{Co}]/gu;
/** A larger part of the letters is not a few damaged ones. */
const MAX_BAD_PART = 0.1;

/** Throws a RangeError for an unknown `encoding`, and a TypeError when the file is not in it. */
export function decodeCaptions(file: Uint8Array, language: string, encoding?: string): Decoded {
  const known = encoding ?? utf16Of(file);
  if (known !== null) {
    const text = decode(file, known);
    // One damaged letter is no other encoding, even where it is the only one outside ASCII.
    const letters = encoding === undefined ? text.length : Math.max(count(text, NOT_ASCII), 1 / MAX_BAD_PART);
    if (count(text, LOST) > letters * MAX_BAD_PART) throw new TypeError(`not ${known}`);
    return { text, note: damageOf(text, LOST) };
  }
  const utf8 = decode(file, "utf-8");
  if (isNearlyWhole(utf8, LOST)) return { text: utf8, note: damageOf(utf8, LOST) };
  const guessed = guess(file, canonicalLanguage(language) ?? language);
  const text = decode(file, guessed);
  const notes = [`read as ${guessed}, a guess; the key encoding of the captions names another`];
  const damage = damageOf(text, BAD);
  return { text, note: [...notes, ...(damage === null ? [] : [damage])].join("; ") };
}

function damageOf(text: string, bad: RegExp): string | null {
  const letters = count(text, bad);
  return letters === 0 ? null : `damaged letters: ${letters}`;
}

/**
 * The encodings of the language come first, the one that the letters suggest before the others. A few damaged letters do
 * not exclude one: the next would be of another script.
 */
function guess(file: Uint8Array, language: string): string {
  const [tongue = ""] = language.toLowerCase().split("-");
  const isTraditional = tongue === "yue" || /^zh-(.*-)?(tw|hk|mo|hant)\b/i.test(language);
  const usual = isTraditional ? TRADITIONAL : (OF_LANGUAGE[tongue] ?? [WESTERN]);
  const detected = detect(file);
  const likely = detected.filter((encoding) => usual.includes(encoding));
  const found = [...likely, ...usual, ...detected].find((encoding) => {
    const text = decode(file, encoding);
    return isNearlyWhole(text, BAD) && isReadable(text);
  });
  return found ?? WESTERN;
}

/** The likeliest first. A byte that does not fit an encoding ends its detection, but only in the half that it is in. */
function detect(file: Uint8Array): string[] {
  const lines = textLines(file);
  const middle = Math.ceil(lines.length / 2);
  const parts = [lines, lines.slice(0, middle), lines.slice(middle)].filter(({ length }) => length > 0);
  const found = parts.flatMap((part) =>
    jschardet.detectAll(Buffer.from(part.join("\n"), "latin1"), {
      minimumThreshold: 0,
      detectEncodings: ENCODINGS,
    }),
  );
  found.sort((one, other) => other.confidence - one.confidence);
  return [...new Set(found.map(({ encoding }) => nameOf(encoding)))];
}

function nameOf(encoding: string | null): string {
  const name = (encoding ?? WESTERN).toLowerCase();
  return ALIASES[name] ?? name;
}

/** A text that Windows programs saved twice has lines that end with CR CR LF. */
export const LINE_END = /\r*\n|\r/;

/** Times and tags would outweigh a few words. */
function textLines(file: Uint8Array): string[] {
  const lines = Buffer.from(file).toString("latin1").split(LINE_END);
  return lines.filter((line) => /[^\0-\x7f]/.test(line));
}

/** Whether words outside ASCII look like words: no signs inside, one script, some plain letters in Latin ones. */
function isReadable(text: string): boolean {
  const words = (text.replaceAll(BAD, "").match(/[^\s\0-\x2f]+/g) ?? []).filter((word) =>
    /[^\0-\x7f]/.test(word),
  );
  const odd = words.filter(isOdd);
  return odd.length <= words.length * MAX_ODD_WORDS;
}

function isOdd(word: string): boolean {
  const letters = word.match(/\p{L}/gu) ?? [];
  const scripts = [
    /\p{sc=Latin}/u,
    /\p{sc=Cyrl}/u,
    /\p{sc=Grek}/u,
    /\p{sc=Hebr}/u,
    /\p{sc=Arab}/u,
    /\p{sc=Thai}/u,
  ];
  const used =
    scripts.filter((script) => script.test(word)).length +
    (/\p{Ideo}|\p{sc=Hira}|\p{sc=Hang}/u.test(word) ? 1 : 0);
  const hasSignInside = SIGN_INSIDE.test(word);
  // EUC-JP that is read as Shift_JIS.
  const hasHalfSigns = /(?:[\uFF61-\uFF65].?){2}/u.test(word);
  const hasMixedCase = /\p{Ll}\p{Lu}/u.test(word);
  const isLatinWithoutAscii =
    letters.length > 2 && letters.every((letter) => /\p{sc=Latin}/u.test(letter) && !/[a-z]/i.test(letter));
  return used > 1 || hasSignInside || hasHalfSigns || hasMixedCase || isLatinWithoutAscii;
}

/** A few damaged letters do not make it another encoding. */
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

/** By the byte order mark or, without one, by the first character, which is ASCII in both formats of captions. */
function utf16Of([first, second]: Uint8Array): Wide | null {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : null;
}

/** A lost byte shifts all bytes after it, so that each line is then decoded by itself. */
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
