const OTHER_LISTS = [
  "twenty pages on",
  "creators, by name",
  "creators, newest",
  "creators with the most",
  "creators, a common word",
  "favorites",
  "favorites, by title",
  "favorites, a word",
  "history",
] as const;
export type OtherList = (typeof OTHER_LISTS)[number];

const STUDIO_ORDERS = [
  ["changed", "desc"],
  ["publishAt", "asc"],
  ["title", "asc"],
  ["changed", "asc"],
  ["publishAt", "desc"],
  ["title", "desc"],
] as const;

/** The studio's lists. `single` have at most one filter; `combined` are held to a time instead of a ratio. */
export function studioQueriesOf(word: (n: number) => string) {
  const filters = {
    "no filter": "",
    published: "state=published",
    drafts: "state=draft",
    "a type": "type=video",
    "a creator": "creator=creator-1",
    "a small creator": "creator=creator-15",
    "a common tag": "tag=tag-2",
    "a rare tag": "tag=tag-79",
    "an access": "access=free",
    "a common problem": "problem=noProductionDate",
    "a rare problem": "problem=publishFailed",
    "a common word": `q=${word(1)}`,
    "a rare word": `q=${word(1900)}`,
  };
  const single = Object.entries(filters).flatMap(([name, query]) =>
    STUDIO_ORDERS.map(([sort, direction]): [string, string] => [
      `studio, ${name}, by ${sort} ${direction}`,
      `${query}&sort=${sort}&direction=${direction}`,
    ]),
  );
  const combined = {
    "studio, a type and an access": "type=video&access=free",
    "studio, a state and a type, by title": "state=published&type=photoSet&sort=title",
    "studio, creator and tag": "creator=creator-1&tag=tag-2",
    "studio, five filters": "state=published&type=video&access=free&creator=creator-1&tag=tag-2",
    "studio, two common words": `q=${word(1)}+${word(2)}`,
    "studio, two words, rare together": `q=${word(3)}+${word(4)}`,
    "studio, a phrase": `q=${encodeURIComponent(`"${word(1)} ${word(2)}"`)}`,
    "studio, a common word without another": `q=${word(1)}+-${word(2)}`,
    "studio, two filters with nothing in common": "state=hidden&problem=publishFailed",
    "studio, common filters with little in common": `type=photoSet&access=free&q=${word(1)}+${word(2)}&tag=tag-79`,
    "studio, a common problem and a state": "problem=noProductionDate&state=hidden&sort=publishAt",
  };
  return { single: Object.fromEntries(single), combined };
}

/** The lists of media that are measured, and their queries. `word` knows the words of the catalogue by number. */
export function queriesOf(word: (n: number) => string) {
  const common = word(1);
  const ofVideos = {
    newest: "",
    oldest: "sort=oldest",
    "most watched": "sort=most-watched",
    longest: "sort=longest",
    title: "sort=title",
    "one common tag": "tag=tag-2",
    "one rare tag, by title": "tag=tag-79&sort=title",
    "one creator": "creator=creator-1",
    "a small creator, most watched": "creator=creator-15&sort=most-watched",
    "creator and tag": "creator=creator-1&tag=tag-2",
    "length and access": "length=long&access=free",
    "a common word": `q=${common}`,
    "a rare word": `q=${word(1900)}`,
    "a word and a tag": `q=${common}&tag=tag-2`,
    "two common words": `q=${common}+${word(2)}`,
    "two words, rare together": `q=${word(3)}+${word(4)}`,
    "a word, by title": `q=${common}&sort=title`,
    "a word, a creator and a length": `q=light&creator=creator-1&length=long`,
    seen: "seen=seen",
    "not seen yet": "seen=unseen",
    "not seen yet, a tag, longest": "seen=unseen&tag=tag-2&sort=longest",
    "a typo": `q=${common.slice(0, 5)}x${common.slice(5)}`,
  };
  const ofSets = {
    "sets, newest": "",
    "sets, most watched": "sort=most-watched",
    "sets, one rare tag, by title": "tag=tag-79&sort=title",
    "sets, creator and tag": "creator=creator-1&tag=tag-2",
    "sets, length and access": "length=long&access=free",
    "sets, a common word": `q=${common}`,
    "sets, a word and a tag": `q=${common}&tag=tag-2`,
    "sets, not seen yet": "seen=unseen",
  };
  return { ofVideos, ofSets };
}

/** The names by which `--only` selects lists. */
export function listNames(): string[] {
  const { ofVideos, ofSets } = queriesOf(() => "");
  const { single, combined } = studioQueriesOf(() => "");
  return [ofVideos, ofSets, single, combined].flatMap((queries) => Object.keys(queries)).concat(OTHER_LISTS);
}
