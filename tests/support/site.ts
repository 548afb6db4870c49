import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { endProcess } from "#tests/support/process/end-process.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { assertNoLeaks } from "./log-leaks.ts";
import { storeSettings } from "./store/start-store.ts";

const READY_TIMEOUT_MS = 60_000;
/** Without this line, another test's site could answer, which took the port a moment earlier. */
const LISTENS = "[remix-serve] http";

/** The setting's own default, for the environment of a site whose database gets slow or lost. */
export const REAL_DATABASE_LIMIT = { DATABASE_TIMEOUT_MS: "" };

interface SiteOptions {
  /** Adds to and overrides the demo configuration. */
  env?: Record<string, string>;
  /** The test file's own database when omitted. */
  databaseUrl?: string;
  /** A new temporary folder when omitted, deleted by stop(). */
  dataDir?: string;
  /** A free port when omitted. */
  port?: number;
  /**
   * The number of web processes that share the port, as with npm start; a single process without a primary when
   * omitted.
   */
  processes?: number;
  /** The folder of the release that runs; the checkout when omitted. */
  cwd?: string;
}

export interface Site {
  origin: string;
  databaseUrl: string;
  dataDir: string;
  /** The web process, for tests that send it signals; with several, their primary. */
  process: ChildProcess;
  /** Takes a path; does not follow redirects by default. With an APP_URL, sends the headers of its proxy. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  output(): string;
  /** Fails when the output holds something secret or personal. */
  stop(): Promise<void>;
}

/** Runs the production build under the real remix-serve, on a separate port, in the demo configuration. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  await buildWhenStale();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "peony-site-")));
  const databaseUrl = options.databaseUrl ?? process.env.DATABASE_URL ?? "";
  const port = options.port ?? (await findTestPort());
  const origin = `http://127.0.0.1:${port}`;

  const child = spawn(
    process.execPath,
    options.processes === undefined
      ? ["node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"]
      : ["build/scripts/web.js"],
    {
      cwd: options.cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        // Hundreds of sites are started from the same code.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
        NODE_ENV: "production",
        HOST: "127.0.0.1",
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        LOG_LEVEL: "error",
        // Other tests keep the database busy; see REAL_DATABASE_LIMIT.
        DATABASE_TIMEOUT_MS: "30000",
        ...storeSettings(),
        // The secret is the test's own, so that cookies created by the test are valid on the site.
        SESSION_SECRET: config.session.secret,
        ...(options.processes === undefined ? {} : { WEB_PROCESSES: String(options.processes) }),
        ...(options.env?.APP_URL ? { TRUST_PROXY: "1", CONTACT_EMAIL: "contact@peony.example" } : {}),
        ...options.env,
      },
    },
  );
  const secrets = [options.env?.SESSION_SECRET ?? config.session.secret];
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
      // fetch() does not allow setting Host.
      if (appUrl) headers.set("x-forwarded-host", new URL(appUrl).host);
      return fetch(new URL(path, origin), { redirect: "manual", ...init, headers });
    },
    output: () => output,
    async stop() {
      // A clean shutdown is not needed here and has its own test.
      child.kill("SIGKILL");
      await endProcess(child);
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
      // Node prints every header for that setting.
      if (options.env?.NODE_DEBUG) return;
      await assertNoLeaks(output, { databaseUrl: process.env.DATABASE_URL, secrets });
    },
  };
  try {
    await waitUntilReady(site);
  } catch (error) {
    const isPortTaken = options.port === undefined && output.includes("EADDRINUSE");
    if (isPortTaken) return startSite(options);
    throw error;
  }
  return site;
}

async function waitUntilReady(site: Site): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (site.process.exitCode !== null) break;
    const answer = site.output().includes(LISTENS) ? await site.fetch("/healthz").catch(() => null) : null;
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await site.stop();
  throw new Error(`The site did not start:\n${site.output()}`);
}
