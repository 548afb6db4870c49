import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { countOutcome } from "#app/domain/jobs/outcomes.server.ts";
import { scrape } from "#tests/support/metrics/scrape.ts";
import { startSite } from "#tests/support/site.ts";

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; w: number };
  datasource: { uid: string };
  targets: { expr: string; datasource: { uid: string } }[];
}

interface Rule {
  alert: string;
  expr: string;
}

const dashboard = JSON.parse(readFileSync("deploy/grafana/peony.json", "utf8")) as {
  schemaVersion: number;
  templating: { list: { name: string; type: string; query: unknown }[] };
  panels: Panel[];
};
const rules = (
  parse(readFileSync("deploy/prometheus/alerts.yaml", "utf8")) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
/** Prometheus itself makes this one. */
const OWN = ["up"];

const site = await startSite({ env: { BACKUP_DIR: tmpdir() } });
afterAll(() => site.stop());

/** The names of the series, with those of the parts of a histogram. */
const known = await namesIn(site);

describe("a real scrape has every metric", () => {
  test.each(dashboard.panels)("the panel $title", ({ targets }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) expect(unknownIn(expr)).toEqual([]);
  });

  test.each(rules)("the alert $alert", ({ expr }) => {
    expect(unknownIn(expr)).toEqual([]);
  });

  test("the list of sites", () => {
    expect(unknownIn(JSON.stringify(dashboard.templating.list))).toEqual([]);
  });
});

test("every metric is shown", () => {
  const shown = new Set(
    dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesOf(expr))),
  );
  const hidden = [...known].filter(
    (name) => !shown.has(name) && !/^peony_http.*_(bucket|sum|count)$/.test(name),
  );
  expect(hidden.filter((name) => name !== "peony_http_request_duration_seconds")).toEqual([]);
});

test("the dashboard takes its data source from a variable and fits the grid", () => {
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
  expect(dashboard.templating.list[0]).toMatchObject({ name: "datasource", type: "datasource" });
  for (const { gridPos, datasource, targets } of dashboard.panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    for (const { uid } of [datasource, ...targets.map((target) => target.datasource)])
      expect(uid).toBe("${" + "datasource}");
  }
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

async function namesIn(scraped: typeof site): Promise<Set<string>> {
  await countOutcome("rank-media", "succeeded", 1);
  const text = await scrape(scraped);
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

function namesOf(expr: string): string[] {
  return [...expr.matchAll(/\b(?:peony_\w+|up)\b/g)].map(([name]) => name);
}

function unknownIn(expr: string): string[] {
  const names = namesOf(expr);
  expect(names.length).toBeGreaterThan(0);
  return names.filter((name) => !known.has(name) && !OWN.includes(name));
}
