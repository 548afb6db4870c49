import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chooseTests, FULL_TIER, GATE_ONLY } from "#scripts/testing/tiers.ts";
import { importsOf, parse } from "#tests/support/sources/imports.ts";
import { listMutants } from "../mutants/patches.ts";

const files = globSync(["{app,db,demo,scripts,tests}/**/*.test.{ts,tsx}", "tests/e2e/*.spec.ts"]);
const left = FULL_TIER.flatMap(({ tests }) => tests);

/** One person never learns these things of another, nor does a host's log of anybody. */
const PRIVACY = [
  "tests/faults/battery/x11-http-abuse.test.ts",
  "tests/faults/battery/x24-shared-cache.test.ts",
  "tests/faults/battery/x25-log-canaries.test.ts",
  "tests/faults/battery/x28-wrong-settings.test.ts",
  "tests/faults/log-lines.test.ts",
  "tests/faults/unread-log.test.ts",
  "tests/front/cache.test.ts",
  "tests/front/headers.test.ts",
  "tests/front/kept-answers.test.ts",
  "tests/front/media.test.ts",
  "tests/front/proofs.test.ts",
  "tests/http/cache-control.test.ts",
  "tests/http/hidden-ids.test.ts",
  "tests/http/leak.test.ts",
  "tests/http/page-cache.test.ts",
  "tests/http/refusal-id.test.ts",
  "tests/live/live-streams.test.ts",
  "tests/media/delivery.test.ts",
  "tests/media/recent-decisions.test.ts",
  "tests/media/streams.test.ts",
  "tests/metrics/access.test.ts",
  "tests/routes/authorisation.test.ts",
  "tests/routes/other-site.test.ts",
  "tests/support/log-leaks.test.ts",
];

test("each test of the full tier exists, and is in one row", () => {
  expect(left.filter((file) => !files.includes(file))).toEqual([]);
  expect(new Set(left).size).toBe(left.length);
});

test("each folder of the table exists", () => {
  const named = [...FULL_TIER.flatMap(({ folders }) => folders), ...GATE_ONLY];
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("the tests of privacy are always in the gate", () => {
  expect(PRIVACY.filter((file) => !files.includes(file))).toEqual([]);
  expect(PRIVACY.filter((file) => left.includes(file))).toEqual([]);
});

/** Every setting and every path may concern each of them: a change of these brings everything, or is a page's own. */
const EVERYWHERE = ["app/config.server.ts", "app/paths.ts"];

test.each(FULL_TIER)("the row names what its tests import: $promise", ({ tests, folders }) => {
  const imported = tests.flatMap((file) =>
    importsOf(parse(file))
      .map(({ to }) => to)
      .filter((to) => /^(?:app|demo|scripts)\//.test(to) && !/^scripts\/build\//.test(to))
      .filter((to) => !EVERYWHERE.includes(to)),
  );
  expect(
    imported.filter((to) => !folders.some((folder) => to === folder || to.startsWith(`${folder}/`))),
  ).toEqual([]);
});

test("each room says which promises of the full tier depend on it, or that none does", () => {
  const named = [...FULL_TIER.flatMap(({ folders }) => folders), ...GATE_ONLY];
  const rooms = ["app/domain", "app/web", "app"].flatMap((parent) =>
    readdirSync(parent, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.isDirectory() && !["app/config", "app/domain", "app/web"].includes(`${parent}/${entry.name}`),
      )
      .map(({ name }) => `${parent}/${name}`),
  );
  expect(rooms.filter((room) => !named.some((path) => path === room || path.startsWith(`${room}/`)))).toEqual(
    [],
  );
});

test.each([
  ["a heartbeat", "app/web/live/live-updates.server.ts", "tests/live/heartbeat.test.ts"],
  ["an upgrade's jobs", "scripts/worker/free-abandoned-jobs.ts", "tests/copies/upgrade.test.ts"],
  ["a test of the full tier", "tests/media/memory.test.ts", "tests/media/memory.test.ts"],
])("a change of %s brings its test into the gate", (_, path, expected) => {
  const { gate, later } = chooseTests([path], files);
  expect(gate).toContain(expected);
  expect(later.flatMap(({ tests }) => tests)).not.toContain(expected);
  expect(later.length).toBeGreaterThan(0);
});

test.each(listMutants())(
  "the test of $name runs in the gate when the file that it changes is touched",
  (mutant) => {
    const touched = [...readFileSync(mutant.path, "utf8").matchAll(/^\+\+\+ b\/(\S+)/gm)].map(
      ([, path = ""]) => path,
    );
    expect(chooseTests(touched, files).gate).toContain(mutant.test.file);
  },
);

test("pages and texts alone bring nothing of the full tier", () => {
  const { gate, later } = chooseTests(["app/routes/about.tsx", "docs/media.md"], files);
  expect(later).toEqual(FULL_TIER);
  expect(gate).toHaveLength(files.length - left.length);
});

test.each([
  ["a path that no row knows", ["app/routes/about.tsx", "some/new/file.ts"]],
  ["the packages", ["package-lock.json"]],
  ["the support of tests", ["tests/support/site.ts"]],
  ["an unknown history", null],
])("%s brings everything", (_, touched) => {
  expect(chooseTests(touched, files)).toEqual({ gate: files, later: [] });
});
