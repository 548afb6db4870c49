import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#db/server/embedded.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { openFolder, removeFolder } from "./site/endings.ts";

const TURNS = 5;
const QUICK_TURNS = 2;
const LIMIT_MS = 3_000;
const POLL_MS = 10;
const READY_WITHIN_MS = 120_000;

interface Start {
  command: string;
  args: string[];
  env: Record<string, string>;
  url: string;
}

/**
 * Compares a warm `npm start`, from the command to the first page with status 200, with PostgreSQL and a Node server
 * that only runs one query, in turns.
 */
export async function benchStart({ isQuick }: BenchOptions, report: Report): Promise<void> {
  await buildWhenStale();
  const folder = await openFolder();
  // When root starts the benchmark, the servers run as another user, who must be able to enter this folder.
  await chmod(folder, 0o711);
  try {
    const [port, barePort, databasePort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    const site: Start = {
      command: "npm",
      args: ["start"],
      env: { PORT: String(port), DATA_DIR: join(folder, "site") },
      url: `http://127.0.0.1:${port}/enter`,
    };
    const args = [join(folder, "bare"), String(databasePort), String(barePort)];
    const bare: Start = {
      command: process.execPath,
      args: ["bench/bare/start.mjs", ...args],
      env: {},
      url: `http://127.0.0.1:${barePort}/`,
    };
    const first = await startOnce(site);
    await startOnce({ ...bare, args: [...bare.args, "--first"] });
    const times: Record<"site" | "bare", number[]> = { site: [], bare: [] };
    for (let turn = 0; turn < (isQuick ? QUICK_TURNS : TURNS); turn += 1) {
      times.site.push(await startOnce(site));
      times.bare.push(await startOnce(bare));
    }
    reportTimes(first, times, report);
  } finally {
    await removeFolder(folder);
  }
}

function reportTimes(first: number, { site, bare }: Record<"site" | "bare", number[]>, report: Report): void {
  report({
    name: "warm start",
    figure: `${median(site).toFixed(0)} ms (first ${(first / 1000).toFixed(0)} s)`,
    reference: `bare ${median(bare).toFixed(0)} ms`,
    ratio: median(site.map((time, turn) => time / (bare[turn] ?? Number.NaN))),
    goal: `<= ${LIMIT_MS} ms`,
    isMet: median(site) <= LIMIT_MS,
  });
}

/** Returns the milliseconds from the command to its first 200. Ends the process as Ctrl-C does and waits for its exit. */
async function startOnce({ command, args, env, url }: Start): Promise<number> {
  const begun = performance.now();
  const child: ChildProcess = spawn(command, args, {
    stdio: ["ignore", "ignore", "inherit"],
    // A terminal also gives each command its own process group.
    detached: true,
    env: { ...process.env, DATABASE_URL: "", APP_URL: "", ...env },
  });
  const gone = once(child, "exit");
  try {
    while (performance.now() - begun < READY_WITHIN_MS) {
      const answer = await fetch(url, { redirect: "manual" }).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return performance.now() - begun;
      if (child.exitCode !== null) break;
      await sleep(POLL_MS);
    }
    throw new Error(`${command} ${args.join(" ")} did not answer`);
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    await gone;
  }
}
