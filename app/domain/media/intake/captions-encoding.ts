import jschardet from "jschardet";

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
/** A larger part of the letters outside ASCII is not a few damaged ones. */
const MAX_BAD_PART = 0.1;

/** Throws a RangeError for an unknown `encoding`, and a TypeError when the file is not in it. */
export function decodeCaptions(file: Uint8Array, language: string, encoding?: string): Decoded {
  if (encoding !== undefined) return { text: decode(file, encoding), note: null };
  const wide = utf16Of(file);
  if (wide) return { text: decode(file, wide), note: null };
  const strict = tryDecode(file, "utf-8");
  if (strict !== null) return { text: strict, note: null };
  const lossy = new TextDecoder("utf-8").decode(file);
  const [bad, good] = [count(lossy, /\uFFFD/g), count(lossy, /[^\0-\x7f\uFFFD]/g)];
  if (bad <= (bad + good) * MAX_BAD_PART) return { text: lossy, note: `damaged letters: ${bad}` };
  const guessed = guess(file, language.toLowerCase());
  const hint = "a guess; the key encoding of the captions names another";
  return { text: decode(file, guessed), note: `read as ${guessed}, ${hint}` };
}

/** By the byte order mark or, without one, by the first character, which is ASCII in both formats. */
function utf16Of([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : null;
}

/** The encodings of the language come first, the one that the letters suggest before the others. */
function guess(file: Uint8Array, language: string): string {
  const [tongue = ""] = language.split("-");
  const isTraditional = /^zh-(.*-)?(tw|hk|mo|hant)\b/.test(language);
  const usual = isTraditional ? TRADITIONAL : (OF_LANGUAGE[tongue] ?? [WESTERN]);
  const detected = jschardet
    .detectAll(wordsOf(file), { minimumThreshold: 0, detectEncodings: ENCODINGS })
    .map((each) => ({ ...each, encoding: nameOf(each.encoding) }));
  const likely = detected.filter(({ encoding }) => usual.includes(encoding));
  const order = [...likely, ...usual.map((encoding) => ({ encoding })), ...detected, { encoding: WESTERN }];
  return order.find(({ encoding }) => isReadable(tryDecode(file, encoding)))?.encoding ?? WESTERN;
}

function nameOf(encoding: string | null): string {
  const name = (encoding ?? WESTERN).toLowerCase();
  return ALIASES[name] ?? name;
}

/** Windows doubles the first of its two signs in a text that is saved twice. */
export const LINE_END = /\r*\n|\r/;

/** Times and tags would outweigh a few words. */
function wordsOf(file: Uint8Array): Uint8Array {
  const lines = Buffer.from(file).toString("latin1").split(LINE_END);
  return Buffer.from(lines.filter((line) => /[^\0-\x7f]/.test(line)).join("\n"), "latin1");
}

/** Whether words outside ASCII look like words: no signs inside, one script, some plain letters in Latin ones. */
function isReadable(text: string | null): boolean {
  if (text === null || /[\x80-\x9f\uFFFD\p{Co}]/u.test(text)) return false;
  const words = (text.match(/[^\s\0-\x2f]+/g) ?? []).filter((word) => /[^\0-\x7f]/.test(word));
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
  const hasMixedCase = /\p{Ll}\p{Lu}/u.test(word);
  const isLatinWithoutAscii =
    letters.length > 2 && letters.every((letter) => /\p{sc=Latin}/u.test(letter) && !/[a-z]/i.test(letter));
  return used > 1 || hasSignInside || hasMixedCase || isLatinWithoutAscii;
}

function tryDecode(file: Uint8Array, encoding: string): string | null {
  try {
    return decode(file, encoding);
  } catch {
    return null;
  }
}

function decode(file: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding, { fatal: true }).decode(file);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
