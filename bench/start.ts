import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildWhenStale } from "#scripts/build/build-state.mjs";

const TURNS = 5;
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
 * that only runs one query, in turns. Exits with 1 when the median start time exceeds the limit.
 */
async function benchStart(): Promise<boolean> {
  await buildWhenStale();
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  // When root starts the benchmark, the servers run as another user, who must be able to enter this folder.
  await chmod(folder, 0o711);
  try {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const site: Start = {
      command: "npm",
      args: ["start"],
      env: { PORT: String(port), DATA_DIR: join(folder, "site") },
      url: `http://127.0.0.1:${port}/enter`,
    };
    const args = [join(folder, "bare"), String(port + 1), String(port + 2)];
    const bare: Start = {
      command: process.execPath,
      args: ["bench/bare-start.mjs", ...args],
      env: {},
      url: `http://127.0.0.1:${port + 2}/`,
    };
    const first = await startOnce(site);
    await startOnce({ ...bare, args: [...bare.args, "--first"] });
    const times: Record<"site" | "bare", number[]> = { site: [], bare: [] };
    for (let turn = 0; turn < TURNS; turn += 1) {
      times.site.push(await startOnce(site));
      times.bare.push(await startOnce(bare));
    }
    return report(first, times);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function report(first: number, { site, bare }: Record<"site" | "bare", number[]>): boolean {
  const ratio = median(site.map((time, turn) => time / (bare[turn] ?? Number.NaN)));
  const line = (name: string, times: number[]) =>
    console.log(
      `${name.padEnd(14)} ${median(times).toFixed(0)} ms, of ${times.map((time) => time.toFixed(0)).join(", ")}`,
    );
  console.log(`first start    ${first.toFixed(0)} ms, with the demo catalogue`);
  line("warm start", site);
  line("bare start", bare);
  console.log(`ratio          ${ratio.toFixed(2)}`);
  console.log(`limit          ${LIMIT_MS} ms`);
  return median(site) <= LIMIT_MS;
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

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

process.exit((await benchStart()) ? 0 : 1);
