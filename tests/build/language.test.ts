import ts from "typescript";
import { expect, test } from "vitest";
import { readSources } from "../support/imports.ts";

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
const OPENING = /^(\/\/|\/\*\*?|\*)\s*(Of|Who|What|Whose|Whoever|That which)\b/;

const sources = readSources(["app", "db", "demo", "scripts"]).filter(
  ({ fileName }) => !/\.test\.tsx?$/.test(fileName),
);

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

interface Found {
  where: string;
  instead: string;
}

function namesOf(source: ts.SourceFile): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) {
      for (const [pattern, instead] of Object.entries(REPLACED)) {
        const isCaseFree = /^[a-z?!()]+/.test(pattern);
        if (new RegExp(pattern, isCaseFree ? "i" : "").test(node.text)) {
          found.push({ where: `${source.fileName} ${node.text}`, instead });
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function sentence({ where, instead }: Found): string {
  return `${where}: use ${instead}`;
}

function openingsOf({ fileName, text }: ts.SourceFile): string[] {
  return text
    .split("\n")
    .flatMap((line, index) => (OPENING.test(line.trim()) ? [`${fileName}:${index + 1} ${line.trim()}`] : []));
}
