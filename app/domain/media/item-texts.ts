import {
  cutText,
  hasVisibleCharacter,
  TURNS_DIRECTION,
  trimInvisible,
  withoutDirections,
  withoutIsolates,
} from "#app/texts.ts";

/** Characters, or entries of a list, in sidecars and in the studio. docs/limits.md lists them. */
export const ITEM_LIMITS = {
  title: 200,
  description: 5_000,
  name: 100,
  creators: 20,
  tags: 30,
  photos: 1_000,
  captions: 20,
  captionsLabel: 60,
  chapters: 100,
  chapterTitle: 100,
  alt: 500,
  reason: 500,
} as const;

export function textProblem(label: string, text: string, longest: number): string | null {
  const excess = text.length - longest;
  if (excess > 0) {
    return `${label} is ${excess} ${excess === 1 ? "character" : "characters"} too long. The limit is ${longest.toLocaleString("en-US")}.`;
  }
  if (!isReadable(text)) return `${label} contains a character that cannot be displayed.`;
  if (TURNS_DIRECTION.test(text)) return `${label} contains a character that changes the direction of text.`;
  return hasVisibleCharacter(text) ? null : `${label} needs at least one visible letter, digit or symbol.`;
}

export function isReadable(text: string): boolean {
  return !UNREADABLE.test(text);
}

const UNREADABLE = /[^\P{Cc}\t\n]|\p{Cs}/u;

/** The same letters may come in several forms of Unicode. */
export function normalizeText(text: string): string {
  return trimInvisible(withoutIsolates(text).normalize("NFC"));
}

/** Browsers end lines of a text area with CR LF. */
export function normalizeLines(text: string): string {
  return normalizeText(text.replace(/\r\n?/g, "\n"));
}

export function normalizeName(text: string): string {
  return normalizeText(text).replace(/\s+/g, " ");
}

/** From the name of a file, or from inside one, as the studio would save it. Empty when nothing of it is visible. */
export function nameFromFile(text: string, longest: number): string {
  const readable = withoutDirections(text).replace(new RegExp(UNREADABLE, "gu"), " ");
  const name = trimInvisible(cutText(normalizeName(readable), longest));
  return hasVisibleCharacter(name) ? name : "";
}

export function ownAlt(title: string, position: number, count: number): string {
  return `${title}, photo ${position} of ${count}`;
}

export const OWN_ALT_END = ", photo [0-9]+ of [0-9]+$";

export function isOwnAlt(alt: string): boolean {
  return withoutCount(alt) !== alt;
}

export function withoutCount(alt: string): string {
  return alt.replace(new RegExp(OWN_ALT_END), "");
}
