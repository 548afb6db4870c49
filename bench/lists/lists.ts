import { fork } from "node:child_process";
import { once } from "node:events";
import { startEmbedded } from "#db/server/embedded.ts";
import { createCatalogue } from "../fill/fill-catalogue.ts";
import { median, percentile } from "../report/figures.ts";
import type { BenchOptions, Report } from "../report/report.ts";
import { openFolder, removeFolder } from "../site/endings.ts";
import { type ListGroup, listGroups } from "./list-names.ts";
import type { Asked } from "./measure-lists.ts";

interface Size {
  items: number;
  goals: Record<ListGroup, number>;
  times: number;
  warmUp: number;
}

/** Items, and the longest time of each group in milliseconds. */
const QUICK = {
  items: 50_000,
  goals: { lists: 15, searches: 80, studio: 80, related: 25 },
  times: 20,
  warmUp: 5,
};
const FULL = {
  items: 200_000,
  goals: { lists: 60, searches: 350, studio: 350, related: 60 },
  times: 100,
  warmUp: 10,
};

/** Lists and searches of one large catalog, as a member and an editor see them. `only` selects some by name. */
export async function benchLists({ isQuick, only }: BenchOptions, report: Report): Promise<void> {
  const { items, goals, times, warmUp }: Size = isQuick ? QUICK : FULL;
  const folder = await openFolder();
  const server = await startEmbedded(folder, ["-c", "fsync=off", "-c", "shared_buffers=256MB"]);
  try {
    const catalogue = await openCatalogue(await createCatalogue(server.adminUrl, items), folder);
    for (const [list, group] of listGroups()) {
      if (only.length > 0 && !only.includes(list)) continue;
      await catalogue.measure({ list, times: warmUp });
      const measured = await catalogue.measure({ list, times });
      const slowest = percentile(measured, 0.95);
      report({
        name: `${list}, p95`,
        figure: `${slowest.toFixed(1)} ms of ${items}`,
        reference: `median ${median(measured).toFixed(1)} ms`,
        ratio: null,
        goal: `<= ${goals[group]} ms`,
        isMet: slowest <= goals[group],
      });
    }
    catalogue.stop();
  } finally {
    await server.stop();
    await removeFolder(folder);
  }
}

/** In a process of its own, because the site's code connects to the database of its environment. */
async function openCatalogue(databaseUrl: string, dataDir: string) {
  const child = fork("bench/lists/measure-lists.ts", {
    execArgv: ["--import", "tsx"],
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
  });
  const gone = new AbortController();
  child.once("exit", () => gone.abort());
  const answer = async () => (await once(child, "message", { signal: gone.signal }))[0];
  await answer();
  return {
    async measure(asked: Asked) {
      child.send(asked);
      return (await answer()) as number[];
    },
    stop: () => child.disconnect(),
  };
}
