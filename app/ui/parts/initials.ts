import { hasVisibleSign, splitSigns } from "#app/texts.ts";

/** Also for an account without a name, and for a stored one of which nothing would be seen. */
export function shownName(name: string | null): string {
  return name !== null && hasVisibleSign(name) ? name : "User Name";
}

export function initials(name: string): string {
  const words = name.split(/\s+/u).filter(hasVisibleSign);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => firstSign(word ?? "")).join("");
}

function firstSign(word: string): string {
  const sign = splitSigns(word).find(hasVisibleSign) ?? "";
  const capital = sign.toLocaleUpperCase("en");
  // "ß" would become two letters.
  return splitSigns(capital).length === 1 ? capital : sign;
}
