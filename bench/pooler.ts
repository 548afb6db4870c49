import { startPgBouncer } from "#tests/support/database/pgbouncer.ts";
import { processorMs } from "#tests/support/process/process-figures.ts";
import { Browser } from "./load/browser.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { type Library, type RunningSite, startWeb } from "./site/site.ts";
import { fetchAll, listRequests, usedBy, WARM_UP } from "./sizing.ts";

const TURNS = 4;
const QUICK_TURNS = 2;
const REQUESTS = 200;

/** Compares the processor time of requests behind PgBouncer in transaction mode with that of the same ones without it. */
export async function benchPooler(
  library: Library,
  { isQuick }: BenchOptions,
  report: Report,
): Promise<void> {
  const pgbouncer = await startPgBouncer(library.databaseUrl);
  const env = { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: library.databaseUrl };
  const [direct, pooled] = await Promise.all([startWeb(library), startWeb(library, { env })]);
  try {
    for (const [name, ask] of await listRequests(library)) {
      const cost = async (site: RunningSite) => {
        const people = library.subscribers.slice(0, REQUESTS);
        const browsers = people.map(({ cookie }) => new Browser(site.origin, cookie));
        await fetchAll(browsers.slice(0, WARM_UP), ask);
        const [before, bouncedBefore] = [await usedBy(library, site), processorMs(pgbouncer.pid())];
        await fetchAll(browsers, ask);
        const [after, bouncedAfter] = [await usedBy(library, site), processorMs(pgbouncer.pid())];
        for (const browser of browsers) browser.close();
        const each = (ms: number) => ms / REQUESTS;
        return {
          web: each(after.web - before.web),
          postgres: each(after.postgres - before.postgres),
          pgbouncer: each(bouncedAfter - bouncedBefore),
        };
      };
      const turns: Record<"direct" | "pooled", Awaited<ReturnType<typeof cost>>>[] = [];
      for (let turn = 0; turn < (isQuick ? QUICK_TURNS : TURNS); turn += 1)
        turns.push({ direct: await cost(direct), pooled: await cost(pooled) });
      // Of all turns together, because PostgreSQL spends only a few ticks on one of them.
      const of = (site: "direct" | "pooled", part: "web" | "postgres" | "pgbouncer") =>
        turns.reduce((sum, turn) => sum + turn[site][part], 0) / turns.length;
      const ratio = (part: "web" | "postgres") => (of("pooled", part) / of("direct", part)).toFixed(2);
      const text = (site: "direct" | "pooled") =>
        `${of(site, "web").toFixed(2)} + ${of(site, "postgres").toFixed(2)}`;
      report({
        name: `pooler: ${name}`,
        figure: `${text("pooled")} + ${of("pooled", "pgbouncer").toFixed(2)} ms cpu`,
        reference: `${text("direct")} ms; web ${ratio("web")}, PostgreSQL ${ratio("postgres")} times`,
        ratio: null,
        goal: "",
        isMet: true,
      });
    }
  } finally {
    await Promise.all([direct.stop(), pooled.stop()]);
    await pgbouncer.stop();
  }
}
