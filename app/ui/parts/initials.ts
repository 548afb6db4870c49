import { hasVisibleCharacter, splitCharacters } from "#app/texts.ts";

/** Also for an account without a name, and for a stored one of which nothing would be seen. */
export function shownName(name: string | null): string {
  return name !== null && hasVisibleCharacter(name) ? name : "User Name";
}

export function initials(name: string): string {
  const words = name.split(/\s+/u).filter(hasVisibleCharacter);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => firstSign(word ?? "")).join("");
}

function firstSign(word: string): string {
  const sign = splitCharacters(word).find(hasVisibleCharacter) ?? "";
  const capital = sign.toLocaleUpperCase("en");
  // "ß" would become two letters.
  return splitCharacters(capital).length === 1 ? capital : sign;
}
