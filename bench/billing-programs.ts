import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { getPriority, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

export const SECRET = "whsec_of_the_benchmark";
const SECRET_KEY = "sk_test_ofthebenchmark";
const READY_WITHIN_MS = 20_000;
/** The same as the worker, which calls the provider. */
const NICENESS = 10;

/** The real provider runs on another computer, so the stand-in must not take processor time from the measurement. */
export function startProvider(port: number): ChildProcess {
  const args = ["build/scripts/stripe-stand-in.js", "--port", String(port)];
  const child = start(args, {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    STRIPE_SECRET_KEY: SECRET_KEY,
  });
  if (child.pid) setPriority(child.pid, getPriority() + NICENESS);
  return child;
}

export function start(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"], env });
}

export function environment(
  databaseUrl: string,
  folder: string,
  { port, apiUrl }: { port: number; apiUrl: string },
): NodeJS.ProcessEnv {
  return {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    HOST: "127.0.0.1",
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    WEB_PROCESSES: "1",
    LOG_LEVEL: "error",
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: apiUrl,
  };
}

export async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await sleep(100)) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    if (Date.now() > deadline) throw new Error(`${url} did not answer`);
  }
}

export async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, "exit");
  server.kill("SIGTERM");
  await gone;
}
