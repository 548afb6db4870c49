import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { commentsOf, sentencesOf } from "../support/sources/comments.ts";
import { parse, readSources } from "../support/sources/imports.ts";

/** Words that this code no longer uses, as parts of names, with what to write instead. */
const REPLACED: [word: RegExp, instead: string][] = [
  [/[a-z]Words$/, "format… or …Text"],
  [/(^|_)(MOST|LONGEST)(_|$)/, "MAX_…"],
  [/^memberships$/i, "subscriptionApi"],
  [/^held$|^Held/, "ownSubscription, or heldBack for events"],
  [/patience/i, "timeout"],
  [/mirror/i, "write or sync"],
  [/findings/i, "snapshot, checks or violations"],
  [/leaving/i, "cancellation"],
  [/standing/i, "state"],
  [/wish(?!list)/i, "request"],
  [/letter(?!s?$|spacing)|^notice|[a-z]Notice|_NOTICE|^NOTICE/i, "mail, or state for what a page says"],
  [/outgoing/i, "openResponses, or sent for a request"],
  [/^(find)?around/, "related"],
  [/away$/i, "unreachable"],
  [/^remember(ed)?($|[A-Z])|^REMEMBER|[a-z]Remember/, "cached, store or createCache"],
  [/^[pP]lace(?!holder)|[a-z]Place|^PLACES?$|_PLACES?$/, "progress of a person, position in a list"],
  [/^ask(?!s?$)|[a-z]Ask/, "fetch, call or request"],
  [/[aA]greed/, "terms"],
  [/^(is)?seal|[a-z]Seal/, "signature"],
  [/^(told|TOLD)$|[a-z]Told/, "name what it holds: changes, snapshot, mails"],
  [/^tell($|[A-Z])|^Tell|[a-z]Tell/, "announce, send or report"],
  [/film/i, "video or media"],
  [/readAt/i, "fetchedAt"],
  [/foreign/i, "crossSite, otherSite or others…"],
  [/elsewhere/i, "unknownToProvider, remote or other…"],
  [/double(?!Precision)/i, "duplicate"],
  [/^given[A-Z]/, "demoSubscription, or what it is"],
  [/^(lives|LIVES|lived|Lived)$/, "lifecycles"],
];
/** A file with a name from above, or "*" for any file, and why it keeps it. */
const KEPT: Record<string, string> = {
  "* onnotice": "an option of the Postgres driver",
  "app/domain/media/picture.server.ts double": "libvips' name of a number type",
  "app/web/session/age-cookie.server.ts givenAt": "a field of cookies that browsers hold for a month",
  "tests/auth/cookies.test.ts givenAt": "the same field",
  "tests/faults/battery/x31-moved-clocks.test.ts givenAt": "the same field",
  "demo/draw/scenes/petal.ts around": "an angle",
};
const NO_SUBJECT = /^["“(`]*(Of|Who|What|Whose|Whoever|That which)\b/;
const TITLE_OPENING = new RegExp(NO_SUBJECT, "i");
const TITLED = ["test", "it", "describe"];
const FOLDERS = ["app", "bench", "db", "demo", "scripts", "tests"];

const tests = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
)
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map(parse);
const sources = [...readSources(FOLDERS), ...tests];
const names = sources.flatMap(namesOf);
const titles = tests.flatMap(titlesOf);

test("names use the standard word for an idea", () => {
  const found = new Set(names.filter(({ kept }) => !kept.some((key) => key in KEPT)).map(sentence));
  expect([...found]).toEqual([]);
});

test("every name that is kept is still there", () => {
  const all = new Set(names.flatMap(({ kept }) => kept));
  expect(Object.keys(KEPT).filter((key) => !all.has(key))).toEqual([]);
});

test("each sentence of a comment begins with its subject", () => {
  // Reading all comments takes long, and few files have one of these words at all.
  const suspects = sources.filter(({ text }) => /\b(Of|Who\w*|What|That which)\b/.test(text));
  const found = suspects.flatMap((source) =>
    commentsOf(source).flatMap(({ line, text }) =>
      sentencesOf(text)
        .filter((each) => NO_SUBJECT.test(each))
        .map((each) => `${source.fileName}:${line} ${each}`),
    ),
  );
  expect(found, "write the sentence again with its subject first").toEqual([]);
});

test("each sentence that people read begins with its subject", () => {
  const read = [...readSources(["app"]).flatMap(textsOf), ...listContent().flatMap(paragraphsOf)];
  expect(read.length).toBeGreaterThan(1_000);
  const found = read.flatMap(({ where, text }) =>
    sentencesOf(text)
      .filter((each) => NO_SUBJECT.test(each) && /[.:]$/.test(each))
      .map((each) => `${where} ${each}`),
  );
  expect(found, "write the sentence again with its subject first").toEqual([]);
});

test("titles of tests use the standard word for an idea", () => {
  const found = titles.flatMap(({ where, text }) =>
    (text.match(/[A-Za-z]+/g) ?? []).flatMap((word) =>
      replacementsOf(word).map((instead) => sentence({ where: `${where} "${word}"`, instead })),
    ),
  );
  expect(found).toEqual([]);
});

test("the title of a test begins with its subject", () => {
  expect(titles.length).toBeGreaterThan(500);
  const found = titles
    .filter(({ text }) => TITLE_OPENING.test(text))
    .map(({ where, text }) => `${where} ${text}`);
  expect(found, "write the title again with its subject first").toEqual([]);
});

interface Found {
  where: string;
  /** The keys of KEPT that allow it. */
  kept: string[];
  instead: string;
}

function namesOf(source: ts.SourceFile): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const name = node.text.replace(/^#/, "");
      for (const instead of replacementsOf(name)) {
        const kept = [`${source.fileName} ${name}`, `* ${name}`];
        found.push({ where: `${lineOf(node, source)} ${name}`, kept, instead });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function replacementsOf(word: string): string[] {
  return REPLACED.flatMap(([pattern, instead]) => (pattern.test(word) ? [instead] : []));
}

interface Text {
  where: string;
  text: string;
}

/** The strings given to test(), describe() and their variants such as test.each(), without inserted values. */
function titlesOf(source: ts.SourceFile): Text[] {
  const found: Text[] = [];
  const visit = (node: ts.Node) => {
    const text = ts.isCallExpression(node) && TITLED.includes(calledBy(node)) && textOf(node.arguments[0]);
    if (text) found.push({ where: lineOf(node, source), text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** "test" for test(), test.each(…)() and test.each`…`(). */
function calledBy({ expression }: ts.CallExpression): string {
  let called: ts.Expression = expression;
  while (!ts.isIdentifier(called)) {
    if (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) called = called.expression;
    else if (ts.isTaggedTemplateExpression(called)) called = called.tag;
    else return "";
  }
  return called.text;
}

function textOf(title: ts.Expression | undefined): string | null {
  if (title === undefined) return null;
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return null;
  return [title.head.text, ...title.templateSpans.map(({ literal }) => literal.text)].join(" ");
}

/** Strings and the text of JSX. An inserted value ends a text. */
function textsOf(source: ts.SourceFile): Text[] {
  const found: Text[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      found.push({ where: lineOf(node, source), text: node.text.replace(/\s+/g, " ") });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function listContent(): string[] {
  return readdirSync("app/content").map((name) => `app/content/${name}`);
}

function paragraphsOf(path: string): Text[] {
  return readFileSync(path, "utf8")
    .split(/\n\s*\n|\n- /)
    .map((text) => ({ where: path, text: text.replace(/\s+/g, " ") }));
}

function lineOf(node: ts.Node, source: ts.SourceFile): string {
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
}

function sentence({ where, instead }: Pick<Found, "where" | "instead">): string {
  return `${where}: use ${instead}`;
}
