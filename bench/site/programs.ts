import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 20;
const READY_WITHIN_MS = 60_000;

export function start(args: string[], env: NodeJS.ProcessEnv, cwd?: string): ChildProcess {
  return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"], env, cwd });
}

export async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await sleep(POLL_MS)) {
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
