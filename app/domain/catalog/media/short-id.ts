const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SHORT_ID_LENGTH = 8;
const BITS_PER_LETTER = 5;
const SHORT_ID = /(?:^|-)([0-9a-z]{8})$/;

/** Base32 of the last 40 bits of an id, which are random or of a hash. This part of a slug never changes. */
export function shortIdOf(id: string): string {
  let rest = BigInt(`0x${id.replaceAll("-", "").slice(-10)}`);
  let letters = "";
  for (let index = 0; index < SHORT_ID_LENGTH; index += 1) {
    letters = (ALPHABET[Number(rest & 31n)] ?? "") + letters;
    rest >>= BigInt(BITS_PER_LETTER);
  }
  return letters;
}

export function shortIdFromSlug(slug: string): string | null {
  return SHORT_ID.exec(slug.toLowerCase())?.[1] ?? null;
}
