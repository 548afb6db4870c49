/** A search has more time than a list. */
export type ListGroup = "lists" | "searches" | "studio" | "related";

interface Measured {
  group: ListGroup;
  name: string;
  /** The address's query. */
  query: string;
}

/** `word` knows the words of the catalog by number: 1 and 2 are in a third of the items, 1900 in few. */
type Word = (n: number) => string;

const COMMON = "creator=creator-1&tag=tag-2";

/** Each in the lists of videos. */
function filtered(): Record<string, string> {
  return {
    newest: "",
    "most watched": "sort=most-watched",
    longest: "sort=longest",
    title: "sort=title",
    "a common tag": "tag=tag-2",
    "a rare tag": "tag=tag-79",
    "a rare tag, by title": "tag=tag-79&sort=title",
    "a common creator": "creator=creator-1",
    "a small creator": "creator=creator-15",
    "a small creator, most watched": "creator=creator-15&sort=most-watched",
    "creator and tag": COMMON,
    "creator and tag, by title": `${COMMON}&sort=title`,
    "a common creator with a rare tag": "creator=creator-1&tag=tag-79",
    "a small creator with a common tag": "creator=creator-15&tag=tag-2",
    "length and access": "length=long&access=free",
    "five filters": `${COMMON}&length=long&access=free&seen=unseen`,
    "five filters, longest": `${COMMON}&length=long&access=free&seen=unseen&sort=longest`,
    seen: "seen=seen",
    "seen with a tag": "seen=seen&tag=tag-2",
    "not seen yet": "seen=unseen",
    "not seen yet, a tag, longest": "seen=unseen&tag=tag-2&sort=longest",
  };
}

function searches(word: Word): Record<string, string> {
  const q = (text: string) => `q=${encodeURIComponent(text)}`;
  const [common, other, rare] = [word(1), word(2), word(1900)];
  return {
    "a common word": q(common),
    "a common word, by title": `${q(common)}&sort=title`,
    "a rare word": q(rare),
    "a word of all items": q("water"),
    "a word and a tag": `${q(common)}&tag=tag-2`,
    "a word, a creator and a length": `${q("light")}&creator=creator-1&length=long`,
    "two common words": q(`${common} ${other}`),
    "two words, rare together": q(`${word(3)} ${word(4)}`),
    "ten words": q("the two of them met in the evening by water"),
    "a name that two thousand have": q("creator"),
    "a small creator's name": q(`creator ${word(15)}`),
    "a tag's name": q('"mood 79"'),
    "a phrase": q(`"${common} ${other}"`),
    "a phrase that nothing has": q('"water evening light"'),
    "either of two words": q(`${rare} or ${word(1901)}`),
    "a common word without another": q(`${common} -${other}`),
    "a word without a tag": q(`${rare} -"mood 2"`),
    "a common word without one of all items": q(`${common} -water`),
    "a typo": q(`${common.slice(0, 5)}x${common.slice(5)}`),
    "nothing at all": q("qqqqqqxx zzzzzyy"),
  };
}

function studio(word: Word): Record<string, string> {
  const q = (text: string) => `q=${encodeURIComponent(text)}`;
  return {
    "no filter": "",
    "by title": "sort=title",
    "by date": "sort=publishAt&direction=asc",
    drafts: "state=draft",
    published: "state=published&sort=title",
    expired: "state=expired",
    "a common tag": "tag=tag-2&sort=title",
    "a rare tag": "tag=tag-79",
    "a small creator": "creator=creator-15",
    "five filters": `state=published&type=video&access=free&${COMMON}`,
    "no date of production": "problem=noProductionDate&sort=publishAt",
    "no credit": "problem=noCredit",
    "no cover": "problem=noCover",
    "no captions": "problem=missingCaptions&sort=title",
    "not published on time": "problem=publishFailed",
    "files that could not be made": "problem=encodingFailed",
    "two filters with nothing in common": "state=hidden&problem=publishFailed",
    "a common word": q(word(1)),
    "a phrase": q(`"${word(1)} ${word(2)}"`),
    "a word and a rare tag": `${q(word(1))}&type=photoSet&access=free&tag=tag-79`,
    "nothing at all": q("qqqqqqxx"),
  };
}

/** Measured besides these: pages further on, creators, favorites and history. */
export const OTHER_LISTS = [
  "forty pages on",
  "creators, by name",
  "creators with the most",
  "favorites",
  "favorites, by title",
  "history",
] as const;
export const RELATED = "related items";
export const OTHER_SEARCHES = [
  "forty pages on, a common word",
  "creators, a common word",
  "favorites, a word",
] as const;
export const OTHER_STUDIO = ["the counts of problems", "creators by works", "tags by works"] as const;
export type Other =
  | typeof RELATED
  | (typeof OTHER_LISTS | typeof OTHER_SEARCHES | typeof OTHER_STUDIO)[number];

export function measuredLists(word: Word): Measured[] {
  const named = (group: ListGroup, prefix: string, queries: Record<string, string>) =>
    Object.entries(queries).map(([name, query]) => ({ group, name: prefix + name, query }));
  return [
    ...named("lists", "", filtered()),
    ...named("searches", "", searches(word)),
    ...named("studio", "studio, ", studio(word)),
  ];
}

/** The group of each figure by its name, by which `--only` selects. */
export function listGroups(): Map<string, ListGroup> {
  const others = (group: ListGroup, names: readonly string[]) =>
    names.map((name): [string, ListGroup] => [name, group]);
  return new Map([
    ...measuredLists(() => "").map(({ name, group }): [string, ListGroup] => [name, group]),
    ...others("lists", OTHER_LISTS),
    ...others("searches", OTHER_SEARCHES),
    ...others("studio", OTHER_STUDIO),
    ...others("related", [RELATED]),
  ]);
}
