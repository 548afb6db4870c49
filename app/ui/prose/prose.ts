export const PLAIN_TAGS = [
  "h1",
  "h2",
  "h3",
  "h4",
  "p",
  "ul",
  "ol",
  "li",
  "strong",
  "em",
  "del",
  "code",
  "pre",
  "blockquote",
  "hr",
  "br",
] as const;

/** A text as elements that are known to be harmless: what is not in here cannot be written. */
export type Prose =
  | string
  | { tag: (typeof PLAIN_TAGS)[number]; children: Prose[] }
  | { tag: "a"; href: string; children: Prose[] };
