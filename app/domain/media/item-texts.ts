import { hasVisibleCharacter, trimInvisible } from "#app/texts.ts";

/** Characters of a text, or entries of a list: for the sidecars of an import and for the studio. docs/limits.md lists them. */
export const ITEM_LIMITS = {
  title: 200,
  description: 5_000,
  /** The name of a creator or a tag. */
  name: 100,
  creators: 20,
  tags: 30,
  photos: 1_000,
  captions: 20,
  captionsLabel: 60,
  chapters: 100,
  chapterTitle: 100,
  alt: 500,
  /** Why an item was taken down. */
  reason: 500,
} as const;

/** Why a normalized text cannot be stored. `label` is the subject of the sentence. */
export function textProblem(label: string, text: string, longest: number): string | null {
  const excess = text.length - longest;
  if (excess > 0) {
    return `${label} is too long by ${excess} ${excess === 1 ? "character" : "characters"}; ${longest} fit.`;
  }
  if (!isReadable(text)) return `${label} holds a character that cannot be shown.`;
  return hasVisibleCharacter(text) ? null : `${label} needs a letter, digit or symbol that can be seen.`;
}

/** False for control characters and lone surrogates. */
export function isReadable(text: string): boolean {
  return !/[^\P{Cc}\t\n]|\p{Cs}/u.test(text);
}

/** Texts of the same letters are equal whatever form of Unicode a file, an editor or a browser has. */
export function normalizeText(text: string): string {
  return trimInvisible(text.normalize("NFC"));
}

/** Browsers end the lines of a text area with CR LF. */
export function normalizeLines(text: string): string {
  return normalizeText(text.replace(/\r\n?/g, "\n"));
}

export function normalizeName(text: string): string {
  return normalizeText(text).replace(/\s+/g, " ");
}

/** The text of a photo that nobody has described. */
export function ownAlt(title: string, position: number, count: number): string {
  return `${title}, photo ${position} of ${count}`;
}

/** For JavaScript and PostgreSQL alike. */
export const OWN_ALT_END = ", photo [0-9]+ of [0-9]+$";

export function isOwnAlt(alt: string): boolean {
  return new RegExp(OWN_ALT_END).test(alt);
}
