/**
 * Unicode calls \p{DI} ignorable where nothing shows them. The others look like a blank: NEL, the marks of annotations and of
 * embedded objects, and the empty Braille pattern.
 */
const LEADING = /^[\s\p{DI}\u0085\u2800\ufff9-\ufffc]+/u;
/** Selectors, tags and joiners at the end belong to the sign before them: to a flag, a heart, a Persian letter. */
const TRAILING =
  /(?:\s[\p{VS}\p{Join_C}]*|(?!\p{VS}|\p{Join_C}|[\u{e0020}-\u{e007f}])[\p{DI}\u0085\u2800\ufff9-\ufffc])+$/u;
/** Without an empty note head of music and the blanks of hieroglyphs, which pages offer as "invisible characters". */
const VISIBLE = /(?!\p{DI}|[\u2800\ufffc\u{1d159}\u{13441}\u{13442}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Marked as pure, so that pages which cut no text do not load it. */
const signs = /* @__PURE__ */ new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Removes the blanks and invisible signs around a text, which come along when it is pasted. A text of invisible signs
 * alone keeps them, so that it can be refused.
 */
export function trimInvisible(text: string): string {
  return text.replace(LEADING, "").replace(TRAILING, "") || text.trim();
}

/** Removes invisible characters everywhere: for texts that mean the same without. */
export function withoutInvisible(text: string): string {
  return text.replace(/\p{DI}+/gu, "").replace(/^[\s\u2800]+|[\s\u2800]+$/g, "");
}

export function hasVisibleCharacter(text: string): boolean {
  return VISIBLE.test(text);
}

/** Writes the full-width letters, digits and points of East Asian keyboards, and the digits of Arabic ones, in ASCII. */
export function toPlainWidth(text: string): string {
  return text
    .replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[。｡]/g, ".")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16));
}

/** The characters as a reader counts them: a letter with its accents, a flag, a family of emoji. */
export function splitCharacters(text: string): string[] {
  return Array.from(signs.segment(text), ({ segment }) => segment);
}

/** The beginning of the text, at most `longest` UTF-16 units, without half a sign at its end. */
export function cutText(text: string, longest: number): string {
  let end = 0;
  for (const { index, segment } of signs.segment(text.slice(0, longest + MAX_SIGN_LENGTH))) {
    if (index + segment.length > longest) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Longer ones are made of nothing but piled accents, and may be cut. */
const MAX_SIGN_LENGTH = 64;

/** The beginning of the text, at most that many bytes of UTF-8, without half a sign at its end. */
function cutToBytes(text: string, longest: number): string {
  const encoder = new TextEncoder();
  let bytes = 0;
  let end = 0;
  for (const { index, segment } of signs.segment(text)) {
    bytes += encoder.encode(segment).length;
    if (bytes > longest) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Systems take names of 255 bytes; a browser may add a number of its own. */
const MAX_FILE_NAME_BYTES = 200;
/** A name that somebody gave may hold what ends a header, climbs out of a folder or reads backwards. Joiners shape letters. */
const UNSAFE_IN_FILE_NAMES = /(?!\p{Join_C})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"\\/:*?<>|]/gu;
/** Windows takes them for devices, whatever follows a point. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\s*(?:\.|$))/iu;

/** A name for a file or folder on any system; it may still be empty. A long one keeps its ending, which says what it is. */
export function asFileName(text: string): string {
  const safe = text.replace(UNSAFE_IN_FILE_NAMES, "_").replace(/^\.+/, "_").replace(DEVICE, "$&_");
  const ending = /\.[\w-]{1,10}$/.exec(safe)?.[0] ?? "";
  const base = safe.slice(0, safe.length - ending.length);
  return cutToBytes(base, MAX_FILE_NAME_BYTES - ending.length) + ending;
}
