import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { config } from "#app/config.server.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { assertNoLeaks } from "#tests/support/log-leaks.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";

const STARTS_WITHIN_MS = 240_000;

type Settings = Record<string, string | undefined>;

export interface SupervisedSite {
  origin: string;
  port: number;
  /** The supervisor, which leads a process group of its own with all that it started. */
  process: ChildProcess;
  output(): string;
  /** Resolves once the output matches; throws when the supervisor exits before. */
  untilPrinted(pattern: RegExp): Promise<void>;
  /** Resolves to the exit status, and fails when the output holds something secret or personal. */
  ended(): Promise<number | null>;
}

/** Runs the built supervisor and all its programs as npm start does; `env` adds to the demo's settings. */
async function spawnSupervisor(env: Settings = {}): Promise<SupervisedSite> {
  await buildWhenStale();
  const port = Number(env.PORT ?? (await findTestPort()));
  const child = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATA_DIR: config.dataDir,
      SESSION_SECRET: config.session.secret,
      WEB_PROCESSES: "2",
      LOG_LEVEL: "warn",
      ...env,
      PORT: String(port),
    },
  });
  const closed = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    process: child,
    output: () => output,
    async untilPrinted(pattern) {
      for (const deadline = Date.now() + STARTS_WITHIN_MS; !pattern.test(output); await sleep(10)) {
        const isOver = child.exitCode !== null || child.signalCode !== null || Date.now() > deadline;
        if (isOver) throw new Error(`The site did not print ${pattern}:\n${output}`);
      }
    },
    async ended() {
      await closed;
      await assertNoLeaks(output, { secrets: [config.session.secret] });
      return child.exitCode;
    },
  };
}

const RUNNING = /Worker connected[\s\S]*Worker connected/;

export async function startSupervised(env: Settings = {}): Promise<SupervisedSite> {
  const site = await spawnSupervisor(env);
  await site.untilPrinted(RUNNING);
  return site;
}
