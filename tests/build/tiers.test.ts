import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AREAS, PAGES_OF } from "#scripts/testing/areas.ts";
import { FULL_TIER } from "#scripts/testing/full-tier.ts";
import {
  ALWAYS,
  chooseTests,
  DOCUMENTS,
  EXACT_SECONDS,
  fitIntoTime,
  GATE_SECONDS,
  ROWS,
  withFiles,
} from "#scripts/testing/tiers.ts";
import { estimateSeconds, readTimes } from "#scripts/testing/times.ts";
import { importsOf, parse } from "#tests/support/sources/imports.ts";
import { listMutants } from "../mutants/patches.ts";

const files = globSync(["{app,db,demo,scripts,tests}/**/*.test.{ts,tsx}", "tests/e2e/*.spec.ts"]);
const rows = withFiles(files);
const left = rows.flatMap(({ tests }) => tests);
const times = readTimes();

function gateOf(touched: string[] | null) {
  return fitIntoTime(chooseTests(touched, files).gate, { touched, times });
}

test("each test of the table exists, and is in one row", () => {
  expect([...left, ...ALWAYS].filter((file) => !files.includes(file))).toEqual([]);
  expect(new Set(left).size).toBe(left.length);
});

test("each folder of the table exists", () => {
  const named = [...ROWS.flatMap(({ folders }) => folders), ...DOCUMENTS];
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("tests that always run are in no row", () => {
  expect(ALWAYS.filter((file) => left.includes(file))).toEqual([]);
  expect(chooseTests([], files).gate).toEqual(expect.arrayContaining(ALWAYS));
});

/** Every part of the site has these, and the long tests need not. */
const EVERYWHERE = /^app\/(?:config[./]|paths\.ts$)/;

test.each(rows)("the row names what its tests import: $promise", ({ tests, folders }) => {
  const imported = tests.flatMap((file) =>
    importsOf(parse(file))
      .map(({ to }) => to)
      .filter((to) => /^(?:app|demo|scripts)\//.test(to) && !/^scripts\/build\//.test(to))
      .filter((to) => !EVERYWHERE.test(to)),
  );
  expect(
    imported.filter((to) => !folders.some((folder) => to === folder || to.startsWith(`${folder}/`))),
  ).toEqual([]);
});

test.each(Object.entries(PAGES_OF))("only pages of their own kind show what is of %s", (_, own) => {
  const isOwn = (path: string) => own.some((beginning) => path.startsWith(beginning));
  const shown = globSync("app/{routes,ui}/**/*.{ts,tsx}")
    .filter((file) => !isOwn(file))
    .flatMap((file) => importsOf(parse(file)).map(({ to }) => ({ file, to })))
    .filter(({ to }) => isOwn(to))
    .map(({ file, to }) => `${file} imports ${to}`);
  expect(shown).toEqual([]);
});

test("each room says which promises depend on it", () => {
  const named = [...ROWS.flatMap(({ folders }) => folders), ...DOCUMENTS];
  const rooms = ["app/domain", "app/web", "app"].flatMap((parent) =>
    readdirSync(parent, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.isDirectory() && !["app/config", "app/domain", "app/web"].includes(`${parent}/${entry.name}`),
      )
      .map(({ name }) => `${parent}/${name}`),
  );
  const isNamed = (room: string) =>
    named.some((path) => path === room || path.startsWith(`${room}/`) || room.startsWith(`${path}/`));
  expect(rooms.filter((room) => !isNamed(room))).toEqual([]);
});

test.each([
  ["a heartbeat", "app/web/live/live-updates.server.ts", "tests/live/heartbeat.test.ts"],
  ["an upgrade's jobs", "scripts/worker/free-abandoned-jobs.ts", "tests/copies/upgrade.test.ts"],
  ["a test of the full tier", "tests/media/memory.test.ts", "tests/media/memory.test.ts"],
])("a change of %s brings its test into the gate", (_, path, expected) => {
  const { later } = chooseTests([path], files);
  expect(gateOf([path]).gate).toContain(expected);
  expect(later.flatMap(({ tests }) => tests)).not.toContain(expected);
  expect(later.length).toBeGreaterThan(0);
});

test.each(listMutants())(
  "the test of $name runs in the gate when the file that it changes is touched",
  (mutant) => {
    const touched = [...readFileSync(mutant.path, "utf8").matchAll(/^\+\+\+ b\/(\S+)/gm)].map(
      ([, path = ""]) => path,
    );
    expect(gateOf(touched).gate).toContain(mutant.test.file);
  },
);

test("documents alone bring nothing", () => {
  const { gate, later } = chooseTests(["docs/media.md"], files);
  expect(later).toEqual(rows);
  expect(gate).toHaveLength(files.length - left.length);
});

test("the support of tests brings the tests that import it, also through others", () => {
  const { gate, later } = chooseTests(["tests/support/front/start-nginx.ts"], files);
  expect(gate).toEqual(expect.arrayContaining(["tests/front/floods.test.ts"]));
  expect(later.flatMap(({ tests }) => tests)).toContain("tests/media/import-videos.test.ts");
});

test("a setting brings every part of the site", () => {
  const { later } = chooseTests(["app/config/settings.ts"], files);
  expect(later.filter(({ promise }) => AREAS.some((area) => area.promise === promise))).toEqual([]);
});

test("a page brings every test of pages and of the browser, and none of backups", () => {
  const { gate } = chooseTests(["app/routes/about.tsx"], files);
  for (const folder of ["tests/http/", "tests/routes/"])
    expect(
      files.filter((file) => file.startsWith(folder) && !gate.includes(file) && !isFullTier(file)),
    ).toEqual([]);
  expect(gate.filter((file) => file.startsWith("tests/backup/"))).toEqual([]);
});

function isFullTier(file: string): boolean {
  return FULL_TIER.some(({ tests }) => tests.includes(file));
}

test.each([
  ["a path that no row knows", ["app/routes/about.tsx", "some/new/file.ts"]],
  ["the packages", ["package-lock.json"]],
  ["what every test begins with", ["tests/support/worker-setup.ts"]],
  ["what the setup imports", ["tests/support/database/clone-database.ts"]],
  ["what tests start by its path", ["tests/support/process/fast-clock.mjs"]],
  ["what no test imports", ["tests/support/page.html"]],
  ["an unknown history", null],
])("%s brings everything", (_, touched) => {
  expect(chooseTests(touched, files)).toEqual({ gate: files, later: [] });
});

test("a change of everything leaves out rows of the full tier, and nothing else, until the rest fits", () => {
  const isLong = (file: string) => file.startsWith("tests/supervisor/") && isFullTier(file);
  const slow = Object.fromEntries(files.filter(isLong).map((file) => [file, GATE_SECONDS]));
  const { gate, noTime } = fitIntoTime(files, { touched: null, times: slow });
  expect(estimateSeconds(gate, slow)).toBeLessThanOrEqual(GATE_SECONDS);
  const cut = noTime.flatMap(({ tests }) => tests);
  expect(cut).toEqual(expect.arrayContaining(files.filter(isLong)));
  expect(cut.filter((file) => !isFullTier(file))).toEqual([]);
  expect([...gate, ...cut].toSorted()).toEqual(files.toSorted());
});

test("a test that was changed itself keeps its time before one that was not", () => {
  const [one = "", other = ""] = FULL_TIER.flatMap(({ tests }) => tests);
  const half = { [one]: 3 * GATE_SECONDS * 0.6, [other]: 3 * GATE_SECONDS * 0.6 };
  for (const changed of [one, other]) {
    const touched = ["package-lock.json", changed];
    const { noTime } = fitIntoTime(files, { touched, times: half });
    const cut = noTime.flatMap(({ tests }) => tests);
    expect([one, other].filter((test) => !cut.includes(test))).toEqual([changed]);
  }
});

test("a full gate still brings the tests that name the change most exactly", () => {
  const slow = { ...times, [ALWAYS[0] ?? ""]: 10 * GATE_SECONDS };
  const touched = ["package-lock.json", "app/web/live/live-updates.server.ts"];
  const { gate, noTime } = fitIntoTime(chooseTests(touched, files).gate, { touched, times: slow });
  expect(gate).toContain("tests/live/heartbeat.test.ts");
  expect(noTime.length).toBeGreaterThan(0);
  expect(estimateSeconds(gate.filter(isFullTier), slow)).toBeLessThanOrEqual(EXACT_SECONDS);
});
