import { count } from "#app/counts.ts";
import {
  cutText,
  hasVisibleCharacter,
  TURNS_DIRECTION,
  trimInvisible,
  withoutDirections,
  withoutIsolates,
} from "#app/texts.ts";

/** The most characters of a text, or entries of a list, in sidecars and in the studio. docs/limits.md lists them. */
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

export function textError(label: string, text: string, longest: number): string | null {
  const excess = text.length - longest;
  if (excess > 0) {
    return `${label} is ${count(excess, "character")} too long. The limit is ${longest.toLocaleString("en")}.`;
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

/** Makes a name that the studio would accept from a file's name or tags. Empty if no character is visible. */
export function nameFromFile(text: string, longest: number): string {
  const readable = withoutDirections(text).replace(new RegExp(UNREADABLE, "gu"), " ");
  const name = trimInvisible(cutText(normalizeName(readable), longest));
  return hasVisibleCharacter(name) ? name : "";
}

/** The alternative text of a photo that nobody has described. */
export function generatedAlt(title: string, position: number, count: number): string {
  return `${title}, photo ${position} of ${count}`;
}

export const GENERATED_ALT_END = ", photo [0-9]+ of [0-9]+$";

export function isGeneratedAlt(alt: string): boolean {
  return withoutCount(alt) !== alt;
}

export function withoutCount(alt: string): string {
  return alt.replace(new RegExp(GENERATED_ALT_END), "");
}
