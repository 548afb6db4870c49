import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { findFreePort } from "#db/free-port.ts";
import { buildWhenStale } from "#scripts/start/build-state.mjs";

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

interface SiteOptions {
  /** Adds to and overrides the demo configuration. */
  env?: Record<string, string>;
  /** The test file's own database when left out. */
  databaseUrl?: string;
  /** A new temporary folder, gone after stop(), when left out. */
  dataDir?: string;
  /** A free one when left out. */
  port?: number;
  /** Web processes that share the port, as npm start runs them; one by itself when left out. */
  processes?: number;
}

export interface Site {
  origin: string;
  databaseUrl: string;
  dataDir: string;
  /** The web process, for tests that send it signals; of several the one that has begun them. */
  process: ChildProcess;
  /** Takes a path; does not follow redirects unless told to. With an APP_URL, as its proxy would ask. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** What the web process has printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/** The production build under the real remix-serve, on a port of its own, in the demo configuration. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  await buildWhenStale();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "peony-site-")));
  const databaseUrl = options.databaseUrl ?? process.env.DATABASE_URL ?? "";
  const port = options.port ?? (await findFreePort());
  const origin = `http://127.0.0.1:${port}`;

  const child = spawn(
    process.execPath,
    options.processes === undefined
      ? ["node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"]
      : ["scripts/web.cjs"],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        HOST: "127.0.0.1",
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        LOG_LEVEL: "error",
        // The test's own, so that cookies made beside the site are good on it.
        SESSION_SECRET: config.session.secret,
        ...(options.processes === undefined ? {} : { WEB_PROCESSES: String(options.processes) }),
        ...(options.env?.APP_URL ? { TRUST_PROXY: "1" } : {}),
        ...options.env,
      },
    },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });

  const site: Site = {
    origin,
    databaseUrl,
    dataDir,
    process: child,
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      const appUrl = options.env?.APP_URL;
      // fetch() does not let Host be set.
      if (appUrl) headers.set("x-forwarded-host", new URL(appUrl).host);
      return fetch(new URL(path, origin), { redirect: "manual", ...init, headers });
    },
    output: () => output,
    async stop() {
      // It has nothing to lose; how it ends when asked to is a test of its own.
      child.kill("SIGKILL");
      await endProcess(child);
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
  await waitUntilReady(site);
  return site;
}

/** Resolves when the process is gone; one that ignores SIGTERM is killed. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}

async function waitUntilReady(site: Site): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (site.process.exitCode !== null) break;
    const answer = await site.fetch("/healthz").catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await site.stop();
  throw new Error(`The site did not start:\n${site.output()}`);
}
