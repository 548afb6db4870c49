import { readdirSync } from "node:fs";
import { basename } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { readSources } from "../support/sources/imports.ts";

/** Files that use tables of other rooms, and why each of them may. */
const EXCEPTIONS: Record<string, { tables: string[]; reason: string }> = {
  "app/domain/account/delete-account.server.ts": {
    tables: ["customers", "mail_outbox", "video_slots", "signin_tokens", "users"],
    reason: "a deletion spans all rooms in one transaction",
  },
  "app/domain/account/export.server.ts": {
    tables: [
      ...["audit_log", "billing_mails", "cancellation_reasons", "checkouts", "customers", "favorites"],
      ...[
        "photo_favorites",
        "photos",
        "invoices",
        "known_browsers",
        "mail_outbox",
        "sessions",
        "signin_tokens",
        "subscription_changes",
      ],
      ...["subscriptions", "upload_batches", "uploads", "users", "views", "withdrawals"],
    ],
    reason: "the export spans all rooms",
  },
  "app/domain/account/pending-deletion.server.ts": {
    tables: ["users"],
    reason: "the request for deletion is a column of users",
  },
  "app/domain/account/request-deletion.server.ts": {
    tables: ["users"],
    reason: "the request for deletion is a column of users",
  },
  "app/domain/auth/sign-in.server.ts": {
    tables: ["customers"],
    reason: "billing imports auth, so a sign-in cannot call it; it adds the job that does",
  },
  "app/domain/billing/checkout/checkout-rows.server.ts": {
    tables: ["users"],
    reason: "a lock on the buyer's row serializes purchases and deletion",
  },
  "app/domain/billing/mails/templates/mail-facts.server.ts": {
    tables: ["users"],
    reason: "the address joins the subscription in one statement of the mail's transaction",
  },
  "app/domain/billing/offers/trials.server.ts": {
    tables: ["users"],
    reason: "the buyer's address joins the purchase in one statement",
  },
  "app/domain/billing/sync/write-customer.server.ts": {
    tables: ["users"],
    reason: "the specification makes the card and the billing method columns of users",
  },
  "app/domain/catalog/lists/media-terms.server.ts": {
    tables: ["views"],
    reason: "the filter for seen media joins views",
  },
  "app/domain/catalog/lists/related.server.ts": {
    tables: ["views"],
    reason:
      "related media that the viewer has seen come last, and the next video is one that they have not seen",
  },
  "app/domain/catalog/media/photos.server.ts": {
    tables: ["photo_favorites"],
    reason: "a page of photos joins the viewer's favorites",
  },
  "app/domain/catalog/media/media.server.ts": {
    tables: ["favorites", "users", "views"],
    reason: "every list joins the viewer's favorites, progress and previous visit",
  },
  "app/domain/favorites/favorites.server.ts": {
    tables: ["media"],
    reason: "one statement stores a favorite only of media that exists",
  },
  "app/domain/favorites/list-favorites.server.ts": { tables: ["media"], reason: "a list over favorites" },
  "app/domain/favorites/list-photo-favorites.server.ts": {
    tables: ["media", "photos"],
    reason: "a list over favorites",
  },
  "app/domain/favorites/photo-favorites.server.ts": {
    tables: ["photos"],
    reason: "one statement stores a favorite only of a photo that exists and may be seen",
  },
  "app/domain/staff/roles.server.ts": {
    tables: ["users"],
    reason: "the specification makes the role a column of users",
  },
  "app/domain/viewer/find-viewer.server.ts": {
    tables: ["sessions", "users"],
    reason: "session, user and subscription are one statement",
  },
  "app/domain/viewing/history.server.ts": { tables: ["media"], reason: "a list over views" },
  "app/domain/viewing/media-totals.server.ts": {
    tables: ["media", "media_creators"],
    reason: "the plays that viewing counts are a column of media, and creators share all counts",
  },
  "app/domain/viewing/save-progress.server.ts": {
    tables: ["media"],
    reason: "one statement saves the progress, bounded by the media's length, and counts the play",
  },
};
/** Schema files whose tables belong to no room. */
const SHARED = ["site"];
/** Schema files that hold a part of a room. */
const PARTS: Record<string, string> = {
  "catalog-changes": "catalog",
  "catalog-files": "catalog",
  "catalog-lists": "catalog",
  encoding: "catalog",
};
const SCHEMA = "db/schema/";

interface Table {
  room: string;
  /** The exported constant. */
  constant: string;
  /** The name in SQL. */
  name: string;
}

interface Use {
  file: string;
  line: number;
  table: Table;
  how: "imports" | "names in SQL";
}

const tables = readSources([SCHEMA.slice(0, -1)]).flatMap(tablesOf);
const uses = readSources(["app/domain"]).flatMap((source) => [
  ...importedTables(source),
  ...tablesInSql(source),
]);
const ofOthers = uses.filter(
  ({ file, table }) => table.room !== roomOf(file) && !SHARED.includes(table.room),
);

test("every table belongs to a room", () => {
  expect(tables.length).toBeGreaterThan(20);
  const rooms = [...readdirSync("app/domain"), ...SHARED, ...Object.keys(PARTS)];
  const unknown = readdirSync(SCHEMA).filter((file) => !rooms.includes(basename(file, ".ts")));
  expect(unknown, "name a schema file after its room of app/domain").toEqual([]);
});

test("a room imports its own tables only", () => {
  expect(wrong("imports")).toEqual([]);
});

test("a room names its own tables only in SQL", () => {
  expect(wrong("names in SQL")).toEqual([]);
});

test("every exception is still needed", () => {
  const unused = Object.entries(EXCEPTIONS).flatMap(([file, exception]) =>
    exception.tables
      .filter((name) => !ofOthers.some((use) => use.file === file && use.table.name === name))
      .map((name) => `${file} does not use ${name}: delete it from EXCEPTIONS`),
  );
  expect(unused).toEqual([]);
});

function wrong(how: Use["how"]): string[] {
  return ofOthers
    .filter((use) => use.how === how && !EXCEPTIONS[use.file]?.tables.includes(use.table.name))
    .map(sentence);
}

function sentence({ file, line, table: { name, room }, how }: Use): string {
  return `${file}:${line} ${how} ${name}, a table of ${room}: call a function of app/domain/${room}, or add it to EXCEPTIONS with the reason`;
}

function roomOf(file: string): string | undefined {
  return file.split("/")[2];
}

function tablesOf(source: ts.SourceFile): Table[] {
  const file = basename(source.fileName, ".ts");
  const room = PARTS[file] ?? file;
  return callsIn(source).flatMap(({ expression, arguments: [name], parent }) => {
    const isTable = expression.getText() === "pgTable" && name && ts.isStringLiteral(name);
    if (!isTable || !ts.isVariableDeclaration(parent)) return [];
    return [{ room, constant: parent.name.getText(), name: name.text }];
  });
}

function importedTables(source: ts.SourceFile): Use[] {
  return source.statements.filter(ts.isImportDeclaration).flatMap((declaration) => {
    const file = roomOfSchema(declaration.moduleSpecifier);
    const room = file === null ? null : (PARTS[file] ?? file);
    const bindings = declaration.importClause?.namedBindings;
    if (room === null || bindings === undefined) return [];
    // "import * as" names no table, so it counts as all of them.
    const names = ts.isNamedImports(bindings)
      ? bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
      : null;
    return tables
      .filter((table) => table.room === room && (names?.includes(table.constant) ?? true))
      .map((table) => ({ ...positionOf(source, declaration), table, how: "imports" }));
  });
}

function roomOfSchema(specifier: ts.Expression): string | null {
  return ts.isStringLiteral(specifier)
    ? (/(?:^#|\/)db\/schema\/([\w-]+)\.ts$/.exec(specifier.text)?.[1] ?? null)
    : null;
}

/** Any whole word counts, and not only one after FROM or JOIN: a name may stand in a fragment of its own. */
function tablesInSql(source: ts.SourceFile): Use[] {
  return sqlIn(source).flatMap((part) => {
    const words = new Set(part.getText().match(/(?<![.\w])[a-z_]+\b/g));
    return tables
      .filter(({ name }) => words.has(name))
      .map((table) => ({ ...positionOf(source, part), table, how: "names in SQL" }));
  });
}

/** The texts of sql`…` between its expressions, and of sql.raw("…") and sql.identifier("…"). */
function sqlIn(source: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "sql") {
      const { template } = node;
      if (ts.isNoSubstitutionTemplateLiteral(template)) found.push(template);
      else found.push(template.head, ...template.templateSpans.map(({ literal }) => literal));
    }
    if (ts.isCallExpression(node) && /^sql\.(raw|identifier)$/.test(node.expression.getText())) {
      found.push(...node.arguments);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function callsIn(source: ts.SourceFile): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function positionOf(source: ts.SourceFile, node: ts.Node): Pick<Use, "file" | "line"> {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return { file: source.fileName, line: line + 1 };
}
