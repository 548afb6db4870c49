import slugifyText from "@sindresorhus/slugify";
import anyAscii from "any-ascii";

const WORDS_LENGTH_LIMIT = 80;
const LEFT_OUT =
  /(?!\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Arabic}|\p{Script=Armenian}|\p{Script=Georgian}|\p{Script=Common})\p{L}/u;
/** Chinese, Japanese and Thai have no spaces between words. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

export function mediaSlug(title: string, shortId: string): string {
  const words = romanizedSlug(title);
  return words ? `${words}-${shortId}` : shortId;
}

/** "夜的光影" → "ye-de-guangying", "밤의 빛" → "bamui-bich". Different names often have the same. */
export function romanizedSlug(text: string): string {
  return slugify(romanize(text));
}

/** "Été à deux" → "ete-a-deux", "Ночь" → "noch"; empty for most emoji, and for scripts such as Chinese. */
export function slugify(text: string): string {
  // Latin accents go first, so that tags with umlauts keep their addresses.
  const plain = text.normalize("NFKD").replace(/(\p{Script=Latin})\p{M}+/gu, "$1");
  return slugifyText(plain.normalize("NFC"), { decamelize: false })
    .slice(0, WORDS_LENGTH_LIMIT)
    .replace(/-$/, "");
}

function romanize(text: string): string {
  return Array.from(segmenter.segment(text.normalize("NFC")), ({ segment }) =>
    LEFT_OUT.test(segment) ? ` ${anyAscii(segment)} ` : segment,
  ).join("");
}
