/** \p{DI} is invisible. The others look like a blank: NEL, marks of annotations and embedded objects, empty Braille. */
const LEADING = /^[\s\p{DI}\u0085\u2800\ufff9-\ufffc]+/u;
const BLANK = /^\s$/;
/** At the end they belong to the character before them, as tags do: a flag, a heart, a Persian letter. */
const JOINING = /^[\p{VS}\p{Join_C}]$/u;
const INVISIBLE = /^(?!\p{VS}|\p{Join_C}|[\u{e0020}-\u{e007f}])[\p{DI}\u0085\u2800\ufff9-\ufffc]$/u;
/** Not the empty note head and the blanks of hieroglyphs, which websites offer as "invisible characters". */
const VISIBLE = /(?!\p{DI}|[\u2800\ufffc\u{1d159}\u{13441}\u{13442}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Marked as pure, so that pages that cut no text do not load it. */
const characters = /* @__PURE__ */ new Intl.Segmenter("en", { granularity: "grapheme" });

/** Removes what is pasted unseen around a text. A text of only invisible characters keeps them, so that it can be refused. */
export function trimInvisible(text: string): string {
  return trimEnd(text.replace(LEADING, "")) || text.trim();
}

/** For texts that mean the same without invisible characters. */
export function withoutInvisible(text: string): string {
  return text
    .replace(/\p{DI}+/gu, "")
    .replaceAll("\u2800", " ")
    .trim();
}

/** One pass from the end: an expression would look for its beginning at each blank inside the text. */
function trimEnd(text: string): string {
  let end = text.length;
  let at = end;
  while (at > 0) {
    const pair = text.codePointAt(at - 2) ?? 0;
    const character = pair > 0xffff ? String.fromCodePoint(pair) : text.charAt(at - 1);
    const isLast = at === end;
    at -= character.length;
    if (BLANK.test(character) || (isLast && INVISIBLE.test(character))) end = at;
    else if (!JOINING.test(character)) break;
  }
  return text.slice(0, end);
}

export function hasVisibleCharacter(text: string): boolean {
  return VISIBLE.test(text);
}

/** Writes the full-width characters of East Asian keyboards and the digits of Arabic ones in ASCII. */
export function toPlainWidth(text: string): string {
  return text
    .replace(/[！-～]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(/[。｡]/g, ".")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16));
}

/** The characters as a reader counts them: a letter with its accents, a flag, a family of emoji. */
export function splitCharacters(text: string): string[] {
  return Array.from(characters.segment(text), ({ segment }) => segment);
}

/** At most `longest` UTF-16 units, without half a character at the end. */
export function cutText(text: string, longest: number): string {
  let end = 0;
  for (const { index, segment } of characters.segment(text.slice(0, longest + MAX_CHARACTER_LENGTH))) {
    if (index + segment.length > longest) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Longer ones are only piled accents and may be cut. */
const MAX_CHARACTER_LENGTH = 64;

/** At most `longest` bytes of UTF-8, without half a character at the end. */
function cutToBytes(text: string, longest: number): string {
  const encoder = new TextEncoder();
  let bytes = 0;
  let end = 0;
  for (const { index, segment } of characters.segment(text)) {
    bytes += encoder.encode(segment).length;
    if (bytes > longest) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Systems accept names of 255 bytes, and a browser may add a number. */
const MAX_FILE_NAME_BYTES = 200;
/** What ends a header, climbs out of a folder or reads backwards. Joiners shape letters. */
const UNSAFE_IN_FILE_NAMES = /(?!\p{Join_C})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"\\/:*?<>|]/gu;
/** Devices to Windows, whatever follows a point. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\s*(?:\.|$))/iu;

/** May be empty. A long name keeps its ending. */
export function asFileName(text: string): string {
  const safe = text.replace(UNSAFE_IN_FILE_NAMES, "_").replace(/^\.+/, "_").replace(DEVICE, "$&_");
  const ending = /\.[\w-]{1,10}$/.exec(safe)?.[0] ?? "";
  const base = safe.slice(0, safe.length - ending.length);
  return cutToBytes(base, MAX_FILE_NAME_BYTES - ending.length) + ending;
}

/** Overrides. Not the marks of single letters, which names have. */
export const TURNS_DIRECTION = /[\u202d\u202e]/;

/** Without embeddings, isolates and their ends, which phones and Windows put around what is copied. */
export function withoutIsolates(text: string): string {
  return text.replace(/[\u202a-\u202c\u2066-\u2069]+/g, "");
}

export function withoutDirections(text: string): string {
  return withoutIsolates(text).replace(/[\u202d\u202e]+/g, "");
}

/** The blocks that Unicode keeps for scripts from right to left, and the mark. */
const READS_LEFTWARDS =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name inside a sentence, which keeps its order whatever the direction of the name. */
export function quoted(name: string): string {
  const plain = withoutDirections(name);
  return READS_LEFTWARDS.test(name) || plain !== name ? `“\u2068${plain}\u2069”` : `“${name}”`;
}

/** A device's name inside a sentence. */
export function inSentence(device: string): string {
  return device.replace(/^A browser/, "a browser");
}

/** Where the payment provider cannot undo a cancellation. */
export const FINAL_CANCELLATION =
  "A cancellation cannot be undone, but you can subscribe again in the last two days before the end.";

/** Completes "Write to …" while there is no contact address. */
export const NO_CONTACT = "the operator of this site";

/** Characters of a typed code, with what is pasted around it. */
export const MAX_CODE_LENGTH = 40;

/** Of an email address, as mail servers have it. */
export const MAX_ADDRESS_LENGTH = 254;

/** An id as the database writes it. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
