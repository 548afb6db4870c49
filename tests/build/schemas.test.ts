import ts from "typescript";
import { expect, test } from "vitest";
import { readSources } from "../support/sources/imports.ts";

/** These files read input from the operator or the operator's programs. */
const NOT_FROM_VISITORS = [
  "app/config/btcpay-settings.ts",
  "app/config/ccbill-settings.ts",
  "app/config/s3-settings.ts",
  "app/config/setting-kinds.ts",
  "app/config/settings.ts",
  "app/domain/backup/archive-format.ts",
  "app/domain/media/import/sidecar.ts",
  "app/domain/media/video/probe.server.ts",
  "app/domain/media/video/tracks.ts",
];
/** Schemas of text whose length is limited by definition. */
const SHORT_TEXTS = ["uuid", "enum", "literal"];
const OTHER_TEXTS =
  /^(?:z\.)(?:coerce\.string|email|url|httpUrl|base64|base64url|jwt|ipv4|ipv6|iso|regex|stringFormat|templateLiteral|any)\b/;

const sources = readSources(["app"]).filter(
  ({ fileName }) => !NOT_FROM_VISITORS.includes(fileName) && !/\.test\.tsx?$/.test(fileName),
);

test("every text in a schema is limited by a maximum before any other check", () => {
  const texts = sources.flatMap((source) => callsIn(source).filter((call) => nameOf(call) === "z.string"));
  expect(texts.length).toBeGreaterThan(5);
  const unbounded = texts.filter((call) => !isBoundedAtOnce(call)).map(lineOf);
  expect(unbounded, "write z.string(…).max(…, { abort: true }) before trim, refine and transform").toEqual(
    [],
  );
});

test("no schema uses another kind of text, which would have no maximum", () => {
  const others = sources.flatMap((source) =>
    callsIn(source).filter((call) => OTHER_TEXTS.test(nameOf(call))),
  );
  expect(others.map(lineOf), `use z.string() with a maximum, or ${SHORT_TEXTS.join(", ")}`).toEqual([]);
});

/** Without "abort", zod continues with the next checks. */
function isBoundedAtOnce(call: ts.CallExpression): boolean {
  const method = call.parent;
  const next = method?.parent;
  if (!ts.isPropertyAccessExpression(method) || method.name.text !== "max" || !ts.isCallExpression(next))
    return false;
  return /\babort: true\b/.test(next.arguments[1]?.getText() ?? "");
}

function callsIn(source: ts.SourceFile): ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node)) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

function nameOf(call: ts.CallExpression): string {
  return call.expression.getText().replace(/\s/g, "");
}

function lineOf(call: ts.CallExpression): string {
  const source = call.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(call.getStart()).line + 1}`;
}
