import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSources } from "../support/imports.ts";

const PAGE = "docs/decisions/084-one-query.md";
const THE_QUERY = "app/domain/billing/current-subscription.server.ts";
const BY_TABLE = /import \{[^}]*(?<!type )\bsubscriptions\b[^}]*\} from "#db\/schema\/billing\.ts"/;
const BY_NAME = /\b(FROM|JOIN) subscriptions\b|\.query\.subscriptions\b/;
/** Written into an object, also in short. Taking it out of one, or naming its type, makes none. */
const MADE = /\bisCurrent\s*:(?!\s*boolean)|[{,]\s*isCurrent\s*[,}](?![^{}]*\}?\s*(?:=[^=>]|:\s*[A-Z]))/;

const sources = readSources(["app"]).map(({ fileName, text }) => ({ file: fileName, text }));

test("who reads subscriptions besides the one query is named, with the reason", () => {
  const readers = sources
    .filter(({ file, text }) => file !== THE_QUERY && (BY_TABLE.test(text) || BY_NAME.test(text)))
    .map(({ file }) => file.replace("app/domain/billing/", ""));
  const rows = readFileSync(PAGE, "utf8").match(/^\| .*$/gm) ?? [];
  const named = rows.flatMap((row) => row.split("|")[1]?.match(/[\w./-]+\.ts/g) ?? []);
  expect(readers.toSorted()).toEqual(named.toSorted());
});

test("nobody but the one query works out whether a subscription is current", () => {
  const makers = sources.filter(({ text }) => MADE.test(text));
  expect(makers.map(({ file }) => file)).toEqual([THE_QUERY]);
});

test.each([
  "({ status, isCurrent: true })",
  "({ ...row, isCurrent })",
  "return { isCurrent, price };",
  "[{ isCurrent }]",
])("what makes it is seen: %s", (text) => {
  expect(MADE.test(text)).toBe(true);
});

test.each([
  "const { isCurrent, price } = subscription;",
  "function said({ status, isCurrent }: Facts) {}",
  "interface Facts { isCurrent: boolean }",
])("what only takes it is not: %s", (text) => {
  expect(MADE.test(text)).toBe(false);
});

test("reading by the table's name in the client is seen", () => {
  expect(BY_NAME.test("await db.query.subscriptions.findFirst()")).toBe(true);
});
