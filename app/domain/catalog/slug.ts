const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SHORT_ID_LENGTH = 8;
const BITS_PER_LETTER = 5;
const WORDS_LENGTH_LIMIT = 80;
const SHORT_ID = /(?:^|-)([0-9a-z]{8})$/;

/** Eight base32 letters from the random tail of a version 4 UUID: the part of a slug that never changes. */
export function shortIdOf(id: string): string {
  let rest = BigInt(`0x${id.replaceAll("-", "").slice(-10)}`);
  let letters = "";
  for (let index = 0; index < SHORT_ID_LENGTH; index += 1) {
    letters = (ALPHABET[Number(rest & 31n)] ?? "") + letters;
    rest >>= BigInt(BITS_PER_LETTER);
  }
  return letters;
}

/** "Été à deux" → "ete-a-deux"; empty when nothing of the text can stand in a URL. */
export function slugWords(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, WORDS_LENGTH_LIMIT)
    .replace(/^-+|-+$/g, "");
}

export function mediaSlug(title: string, shortId: string): string {
  const words = slugWords(title);
  return words ? `${words}-${shortId}` : shortId;
}

export function shortIdFromSlug(slug: string): string | null {
  return SHORT_ID.exec(slug.toLowerCase())?.[1] ?? null;
}
