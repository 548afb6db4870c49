import { hasVisibleCharacter, splitCharacters } from "#app/texts.ts";

/** Also for an account without a name or with an invisible one. */
export function shownName(name: string | null): string {
  return name !== null && hasVisibleCharacter(name) ? name : "User Name";
}

export function initials(name: string): string {
  const words = name.split(/\s+/u).filter(hasVisibleCharacter);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => firstCharacter(word ?? "")).join("");
}

function firstCharacter(word: string): string {
  const first = splitCharacters(word).find(hasVisibleCharacter) ?? "";
  const capital = first.toLocaleUpperCase("en");
  // "ß" would become two letters.
  return splitCharacters(capital).length === 1 ? capital : first;
}
