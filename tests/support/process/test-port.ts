import { createServer } from "node:net";

/** Below the ports that the system gives to outgoing connections, one part of the range for each process of tests. */
const FIRST_PORT = 12_000;
const PORTS_PER_PROCESS = 2_000;
const PROCESSES = 9;

const testProcess = Number(process.env.VITEST_POOL_ID ?? 0) % PROCESSES;
let next = Math.floor(Math.random() * PORTS_PER_PROCESS);

/**
 * A free port on loopback. No other process of tests takes it before the caller does: a test would then talk to the
 * other's site.
 */
export async function findTestPort(): Promise<number> {
  for (;;) {
    next = (next + 1) % PORTS_PER_PROCESS;
    const port = FIRST_PORT + testProcess * PORTS_PER_PROCESS + next;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "0.0.0.0", () => probe.close(() => resolve(true)));
  });
}
