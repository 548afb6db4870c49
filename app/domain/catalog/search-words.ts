/** Words that Postgres reads as one lexeme each: itself in lower case, without accents. */
const PLAIN = /^[A-Za-z0-9À-ÖØ-öø-ÿ]+$/;

/** The words that must all occur; null when the search says more: quotes, "or", "-", or letters of other scripts. */
export function plainWords(search: string): string[] | null {
  const words = [...new Set(search.trim().split(/\s+/))];
  return words.every((word) => PLAIN.test(word) && word.toLowerCase() !== "or") ? words : null;
}
