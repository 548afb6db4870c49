import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { config } from "#app/config.server.ts";
import { endProcess } from "#tests/support/process/end-process.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { descendants } from "../process/process-tree.ts";

const STARTS_WITHIN_MS = 120_000;

export interface Copy {
  port: number;
  origin: string;
  process: ChildProcess;
  output(): string;
  /** Does not follow redirects. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** SIGTERM, as a container's host sends it. Resolves to the exit status. */
  stop(): Promise<number | null>;
  /** Kills every process of the copy, nginx first: a web process must not be missed by its own nginx. */
  kill(): Promise<void>;
}

interface CopySettings {
  env?: Record<string, string>;
  /** The folder of another release's build; this one's when omitted. */
  cwd?: string;
  /** A free port when omitted. */
  port?: number;
}

/**
 * Starts the site as its image does, with its own nginx and worker, on this test file's database and data folder. A
 * media item must be there, or the demo catalog is loaded.
 */
export async function startCopy({ env = {}, cwd, port: given }: CopySettings = {}): Promise<Copy> {
  const port = given ?? (await findTestPort());
  const child = spawn(process.execPath, ["build/scripts/supervise.js"], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATABASE_URL: config.database.url,
      DATABASE_TIMEOUT_MS: "30000",
      DATA_DIR: config.dataDir,
      SESSION_SECRET: config.session.secret,
      HOST: "127.0.0.1",
      PORT: String(port),
      FRONT: "nginx",
      TRUST_PROXY: "1",
      WEB_PROCESSES: "1",
      // A busy machine takes seconds to look at a copy that stops.
      DRAIN_SECONDS: "10",
      // Each copy of a demo would play payments of its own.
      STRIPE_SECRET_KEY: "sk_test_ofthetest",
      STRIPE_API_URL: "http://127.0.0.1:1",
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const origin = `http://127.0.0.1:${port}`;
  for (
    const deadline = Date.now() + STARTS_WITHIN_MS;
    !output.includes("Worker connected");
    await sleep(100)
  ) {
    if (child.exitCode === null && Date.now() < deadline) continue;
    child.kill("SIGKILL");
    throw new Error(`The copy did not start:\n${output}`);
  }
  return {
    port,
    origin,
    process: child,
    output: () => output,
    fetch: (path, init) => fetch(origin + path, { redirect: "manual", ...init }),
    async stop() {
      await endProcess(child, STARTS_WITHIN_MS);
      return child.exitCode;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const all = [{ pid: child.pid ?? 0, command: "" }, ...descendants(child.pid ?? 0)];
      const gone = once(child, "exit");
      const isNginx = (command: string) => Number(command.includes("nginx"));
      for (const { pid } of all.toSorted((a, b) => isNginx(b.command) - isNginx(a.command))) killNow(pid);
      await gone;
    },
  };
}

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended with the others.
  }
}
