import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from "marked";

const PLAIN_TAGS = [
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

/** An allowlist: nothing else can be rendered. */
export type Prose =
  | string
  | { tag: (typeof PLAIN_TAGS)[number]; children: Prose[] }
  | { tag: "a"; href: string; children: Prose[] };

const SAFE_LINK = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i;
const HEADINGS = ["h1", "h2", "h3", "h4"] as const;

/** Deeper marks stay text: thousands of nested quotes would be more than a stack holds. */
const MAX_DEPTH = 12;
/** The search for an end reads all that follows. */
const MAX_UNENDED = 200;
const OPENS_HTML = /^ {0,3}<[!?]/;

class FlatTokenizer extends Tokenizer {
  #depth = 0;
  #unended = 0;

  override blockquote(source: string) {
    return this.#within(() => super.blockquote(source));
  }

  override list(source: string) {
    return this.#within(() => super.list(source));
  }

  override emStrong(source: string, masked: string, previous?: string) {
    const find = () => this.#within(() => super.emStrong(source, masked, previous));
    return this.#ended(find, /^[*_]/.test(source));
  }

  override html(source: string) {
    return this.#ended(() => super.html(source), OPENS_HTML.test(source));
  }

  override tag(source: string) {
    return this.#ended(() => super.tag(source), OPENS_HTML.test(source));
  }

  override del(source: string, masked: string, previous?: string) {
    return this.#within(() => super.del(source, masked, previous));
  }

  override link(source: string) {
    return this.#within(() => super.link(source));
  }

  #ended<Found>(find: () => Found, isOpening: boolean): Found | undefined {
    if (this.#unended >= MAX_UNENDED) return undefined;
    const found = find();
    if (found === undefined && isOpening) this.#unended += 1;
    return found;
  }

  #within<Found>(find: () => Found): Found | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth += 1;
    try {
      return find();
    } finally {
      this.#depth -= 1;
    }
  }
}

/** Drops HTML. Links other than web and mailto become text. */
export function parseMarkdown(source: string): Prose[] {
  return new Lexer({ ...getDefaults(), tokenizer: new FlatTokenizer() }).lex(source).flatMap(toProse);
}

/** A description stands below the headings of its page. */
export function parseDescription(source: string): Prose[] {
  return parseMarkdown(source).map((part) =>
    typeof part !== "string" && HEADINGS.some((heading) => heading === part.tag)
      ? { tag: "h3", children: part.children }
      : part,
  );
}

function toProse(token: Token): Prose[] {
  switch (token.type) {
    case "heading":
      return [{ tag: HEADINGS[token.depth - 1] ?? "h4", children: within(token) }];
    case "paragraph":
      return [{ tag: "p", children: within(token) }];
    case "list":
      return [{ tag: token.ordered ? "ol" : "ul", children: (token as Tokens.List).items.flatMap(toProse) }];
    case "list_item":
      return [{ tag: "li", children: within(token) }];
    case "strong":
    case "em":
    case "del":
    case "blockquote":
      return [{ tag: token.type, children: within(token) }];
    case "codespan":
      return [{ tag: "code", children: [token.text] }];
    case "code":
      return [{ tag: "pre", children: [token.text] }];
    case "hr":
    case "br":
      return [{ tag: token.type, children: [] }];
    case "link":
      return link(token as Tokens.Link);
    case "text":
    case "escape":
      return token.type === "text" && "tokens" in token && token.tokens ? within(token) : [token.text];
    case "image":
      return [token.text];
    default:
      return [];
  }
}

function within(token: Token): Prose[] {
  return "tokens" in token ? (token.tokens ?? []).flatMap(toProse) : [];
}

function link(token: Tokens.Link): Prose[] {
  const children = within(token);
  return SAFE_LINK.test(token.href) ? [{ tag: "a", href: token.href, children }] : children;
}
