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
  return [...Object.keys(ofVideos), ...Object.keys(ofSets), ...OTHER_LISTS];
}
