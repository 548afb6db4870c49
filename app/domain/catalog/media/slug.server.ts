import slugifyText from "@sindresorhus/slugify";
import anyAscii from "any-ascii";

const WORDS_LENGTH_LIMIT = 80;
/** A letter of a script that slugify leaves out. */
const LEFT_OUT =
  /(?!\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Arabic}|\p{Script=Armenian}|\p{Script=Georgian}|\p{Script=Common})\p{L}/u;
/** Chinese, Japanese and Thai have no spaces between words. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** The words of the title and the short id, which stands alone when the title has no letter. */
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
  // Marks on Latin letters go first: addresses of tags with an umlaut stay as they are.
  const plain = text.normalize("NFKD").replace(/(\p{Script=Latin})\p{M}+/gu, "$1");
  return slugifyText(plain.normalize("NFC"), { decamelize: false })
    .slice(0, WORDS_LENGTH_LIMIT)
    .replace(/-$/, "");
}

/** Other words stay as they are: slugify makes the same slug of them as before. */
function romanize(text: string): string {
  return Array.from(segmenter.segment(text.normalize("NFC")), ({ segment }) =>
    LEFT_OUT.test(segment) ? ` ${anyAscii(segment)} ` : segment,
  ).join("");
}
