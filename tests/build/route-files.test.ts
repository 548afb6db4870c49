import ts from "typescript";
import { expect, test } from "vitest";
import { importsOf, readSources } from "../support/sources/imports.ts";

const ROUTES = "app/routes/";
/** Exported by app/web/session/guards.server.ts. */
const GUARDS = [
  "anyone",
  "anyoneOrUnknown",
  "requireProviderCall",
  "requireAdult",
  "requireMember",
  "requireStaff",
  "requireUploader",
];

const sources = readSources(["app", "db", "demo", "scripts"]);

test("no route imports a route, and nothing else does", () => {
  const wrong = sources.flatMap(importsOf).filter(({ to }) => to.startsWith(ROUTES));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("every loader and every action begins with a guard", () => {
  const handlers = sources.filter(({ fileName }) => fileName.startsWith(ROUTES)).flatMap(handlersOf);
  expect(handlers.length).toBeGreaterThan(30);
  const unguarded = handlers.filter(
    ({ first }) => !GUARDS.some((guard) => new RegExp(`\\b${guard}\\(`).test(first)),
  );
  // The liveness check reveals nothing about anybody, and must work when nothing else does.
  expect(unguarded.map(({ name }) => name)).toEqual(["app/routes/healthz.ts loader"]);
});

function handlersOf(source: ts.SourceFile): { name: string; first: string }[] {
  return exportedFunctions(source)
    .filter(({ name }) => name?.text === "loader" || name?.text === "action")
    .map(({ name, body }) => ({
      name: `${source.fileName} ${name?.text}`,
      first: body?.statements[0]?.getText(source) ?? "",
    }));
}

function exportedFunctions(source: ts.SourceFile): ts.FunctionDeclaration[] {
  return source.statements.filter(
    (part): part is ts.FunctionDeclaration =>
      ts.isFunctionDeclaration(part) &&
      (part.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false),
  );
}
