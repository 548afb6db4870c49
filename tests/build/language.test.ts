import { readdirSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { parse, readSources } from "../support/imports.ts";

/** Words that this code no longer uses, as parts of names, with what to write instead. */
const REPLACED: Record<string, string> = {
  "[a-z]Words$": "format… or …Text",
  "^(MOST|LONGEST)_": "MAX_…",
  "^memberships$": "subscriptionApi",
  "^held$|^Held": "ownSubscription",
  patience: "timeout",
  mirror: "write or sync",
  findings: "snapshot",
  leaving: "cancellation",
  standing: "state",
  "wish(?!list)": "request",
  "letter(?!s?$|spacing)": "mail",
  outgoing: "openResponses",
  "^(find)?around": "related",
  away$: "unreachable",
  remembered: "cached, or createCache",
  "^[pP]lace(?!holder)|[a-z]Place": "progress of a person, position in a list",
  "^ask(?!s?$)|[a-z]Ask": "fetch, call or request",
  "[aA]greed": "terms",
  "^(is)?seal|[a-z]Seal": "signature",
  "^told$|[a-z]Told": "name what it holds: changes, snapshot, mails",
  "[fF]ilm": "video or media",
  readAt: "fetchedAt",
};
/** A file with a name from above, and why it keeps it. */
const KEPT: Record<string, string> = {
  "demo/stripe/state/deliveries.ts held": "webhook events that are held back",
  "demo/stripe/subscriptions/control.ts held": "webhook events that are held back",
  "demo/stripe/pages/control-page.ts held": "webhook events that are held back",
  "demo/draw/scenes/petal.ts around": "an angle",
  "demo/stripe/api/presentment.ts wish": "the currency that a buyer wishes",
};
const NO_SUBJECT = "(Of|Who|What|Whose|Whoever|That which)\\b";
const OPENING = new RegExp(`^(//|/\\*\\*?|\\*)\\s*${NO_SUBJECT}`);
const TITLE_OPENING = new RegExp(`^${NO_SUBJECT}`, "i");
const TITLED = ["test", "it", "describe"];

const sources = readSources(["app", "db", "demo", "scripts"]);
const titles = ["app", "bench", "db", "demo", "scripts", "tests"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.test\.tsx?$/.test(path))
  .flatMap((path) => titlesOf(parse(path)));

test("names use the standard word for an idea", () => {
  const found = new Set(
    sources
      .flatMap(namesOf)
      .filter(({ where }) => !(where in KEPT))
      .map(sentence),
  );
  expect([...found]).toEqual([]);
});

test("every name that is kept is still there", () => {
  const all = new Set(sources.flatMap(namesOf).map(({ where }) => where));
  expect(Object.keys(KEPT).filter((where) => !all.has(where))).toEqual([]);
});

test("a comment begins with its subject", () => {
  const all = readSources(["app", "db", "demo", "scripts", "bench", "tests"]);
  expect(all.flatMap(openingsOf), "write the sentence again with its subject first").toEqual([]);
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
  instead: string;
}

function namesOf(source: ts.SourceFile): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) {
      for (const instead of replacementsOf(node.text)) {
        found.push({ where: `${source.fileName} ${node.text}`, instead });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function replacementsOf(word: string): string[] {
  return Object.entries(REPLACED).flatMap(([pattern, instead]) => {
    const isCaseFree = /^[a-z?!()]+/.test(pattern);
    return new RegExp(pattern, isCaseFree ? "i" : "").test(word) ? [instead] : [];
  });
}

interface Title {
  where: string;
  text: string;
}

/** The strings given to test(), describe() and their variants such as test.each(), without inserted values. */
function titlesOf(source: ts.SourceFile): Title[] {
  const found: Title[] = [];
  const visit = (node: ts.Node) => {
    const text = ts.isCallExpression(node) && TITLED.includes(calledBy(node)) && textOf(node.arguments[0]);
    if (text) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ where: `${source.fileName}:${line + 1}`, text });
    }
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

function sentence({ where, instead }: Found): string {
  return `${where}: use ${instead}`;
}

function openingsOf({ fileName, text }: ts.SourceFile): string[] {
  return text
    .split("\n")
    .flatMap((line, index) => (OPENING.test(line.trim()) ? [`${fileName}:${index + 1} ${line.trim()}`] : []));
}
