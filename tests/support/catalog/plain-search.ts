import { fc } from "#tests/support/seed.ts";

/** A word, or a phrase of several. */
interface Leaf {
  text: string;
  isExcluded: boolean;
}

/** Any of the groups, each of which is all of its leaves. */
export type PlainSearch = Leaf[][];

/** A search as people type it. */
export function typedSearch(search: PlainSearch): string {
  const typed = ({ text, isExcluded }: Leaf) =>
    `${isExcluded ? "-" : ""}${text.includes(" ") ? `"${text}"` : text}`;
  return search.map((group) => group.map(typed).join(" ")).join(" or ");
}

/** Whether an item with these texts is found, where a phrase has to be in one of them. */
export function isFoundPlainly(search: PlainSearch, texts: string[]): boolean {
  const known = texts.map(plain);
  const has = ({ text }: Leaf) => known.some((one) => one.includes(plain(text)));
  return search.some((group) => group.every((leaf) => has(leaf) !== leaf.isExcluded));
}

/** The words of a text in lower case without accents, each between two spaces. */
function plain(text: string): string {
  const words =
    text
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .match(/[a-z0-9]+/g) ?? [];
  return ` ${words.join(" ")} `;
}

/** Up to two groups of up to three leaves. */
export function anySearch(texts: string[]): fc.Arbitrary<PlainSearch> {
  const leaf = fc.record({
    text: fc.constantFrom(...texts),
    isExcluded: fc.constantFrom(false, false, false, true),
  });
  return fc.array(fc.array(leaf, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 });
}
