export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => firstLetter(word ?? "")).join("");
}

/** Splits by code points, so that a surrogate pair is not cut in half. */
function firstLetter(word: string): string {
  return [...word][0]?.toLocaleUpperCase("en") ?? "";
}
