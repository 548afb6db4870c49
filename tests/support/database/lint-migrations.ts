import { execFile } from "node:child_process";
import { type Migration, parseMigration } from "#db/migrations/journal.ts";

export interface MigrationFile {
  name: string;
  text: string;
}

interface Finding {
  line: number;
  rule_name: string;
  message: string;
}

/** The migrator sets lock_timeout; a statement that builds an index may take its time. */
const NOT_ASKED = ["require-lock-timeout", "require-statement-timeout"];
/** Findings that break the builds before, which a migration may do when it says which builds still work. */
const REMOVALS = [
  "ban-drop-column",
  "ban-drop-table",
  "renaming-column",
  "renaming-table",
  "changing-column-type",
];
const INDEX_STATEMENT = /^(?:CREATE (?:UNIQUE )?|DROP )INDEX CONCURRENTLY\b/;
const CREATED_INDEX = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "(\w+)"/g;

/**
 * Checks all migrations in their order, of which the first `unchecked` are only the past of the others. Returns a line
 * for each problem.
 */
export async function lintMigrations(files: MigrationFile[], unchecked: number): Promise<string[]> {
  const problems: string[] = [];
  let oldest = files[0]?.name ?? "";
  let oldestOfExpansions = oldest;
  for (const [index, file] of files.entries()) {
    const migration = parseMigration({ tag: file.name, when: index }, file.text);
    if (index < unchecked) {
      oldest = oldestOfExpansions = file.name;
      continue;
    }
    const violations = await violationsOf(file, migration);
    const removes = violations.some(({ rule_name }) => REMOVALS.includes(rule_name));
    const mayRemove = removes && migration.oldestBuild > oldestOfExpansions;
    problems.push(
      ...problemsOfMarks(migration, files, oldest).map((problem) => `${file.name}: ${problem}`),
      ...violations
        .filter(({ rule_name }) => !(mayRemove && REMOVALS.includes(rule_name)))
        .map(({ rule_name, line, message }) => `${file.name}:${line + 1}: ${rule_name}: ${message}`),
    );
    oldest = migration.oldestBuild;
    if (!removes) oldestOfExpansions = migration.oldestBuild;
  }
  return problems;
}

function problemsOfMarks(migration: Migration, files: MigrationFile[], oldest: string): string[] {
  const problems: string[] = [];
  const { name, oldestBuild, hasTransaction } = migration;
  if (!files.some((file) => file.name === oldestBuild && file.name < name)) {
    problems.push(
      'begin it with "-- Oldest build: ", and the newest migration of the oldest build that works after it',
    );
  }
  if (oldestBuild < oldest) problems.push(`an earlier migration has excluded ${oldestBuild} already`);
  if (hasTransaction) return problems;
  const statements = migration.statements.map((statement) =>
    statement.replace(/^\s*(?:--.*\n\s*)*/, "").trim(),
  );
  if (!statements.every((statement) => INDEX_STATEMENT.test(statement))) {
    problems.push("only statements with INDEX CONCURRENTLY may be without a transaction");
  }
  for (const [created, index] of statements.join("\n").matchAll(CREATED_INDEX)) {
    const earlier = statements.slice(
      0,
      statements.findIndex((statement) => statement.startsWith(created)),
    );
    if (earlier.some((statement) => statement === `DROP INDEX CONCURRENTLY IF EXISTS "${index}";`)) continue;
    problems.push(`drop "${index}" first, because an interrupted build leaves an invalid index`);
  }
  return problems;
}

/** Runs squawk; a comment "-- squawk-ignore <rule>" with a reason silences a finding. */
async function violationsOf(file: MigrationFile, { hasTransaction }: Migration): Promise<Finding[]> {
  const args = ["--pg-version", "15", "--reporter", "json", "--exclude", NOT_ASKED.join(",")];
  if (hasTransaction) args.push("--assume-in-transaction");
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile("node_modules/.bin/squawk", args, (error, stdout, stderr) => {
      // The status 1 means findings.
      if (error && error.code !== 1) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(stdout);
    });
    child.stdin?.end(file.text);
  });
  return JSON.parse(output);
}
