import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";

export interface Import {
  /** Paths relative to the project's folder, such as "app/web/session/guards.server.ts". */
  from: string;
  to: string;
  isTypeOnly: boolean;
}

/** The parsed source of every code file below `folders`, without tests. */
export function readSources(folders: string[]): ts.SourceFile[] {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
    )
    .filter(isCode)
    .sort()
    .map(parse);
}

/** The source files in the project's root folder, such as the settings of tools. */
export function readRootSources(): ts.SourceFile[] {
  return readdirSync(".").filter(isCode).sort().map(parse);
}

function isCode(path: string): boolean {
  return /\.(tsx?|[mc]?js)$/.test(path) && !/\.(test|d)\.tsx?$/.test(path);
}

export function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

/** A file's imports from the project itself, including dynamic ones. */
export function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isTypeOnly: boolean) => {
    const to = specifier && ts.isStringLiteral(specifier) ? resolve(source.fileName, specifier.text) : null;
    if (to !== null) found.push({ from: source.fileName, to, isTypeOnly });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTypeOnly({ importClause }: ts.ImportDeclaration): boolean {
  if (!importClause) return false;
  if (importClause.isTypeOnly) return true;
  const { name, namedBindings } = importClause;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((element) => element.isTypeOnly);
}

/** Null for packages. */
function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1).replace(/\?.*$/, "");
  return specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : null;
}
