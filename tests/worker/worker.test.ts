import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { startWorker } from "../support/billing/worker-process.ts";

test("the worker runs at a lower priority than the web processes", async () => {
  const worker = startWorker();
  try {
    const own = getPriority();
    const its = () => getPriority(worker.process.pid);
    // The worker is compiled while it starts.
    await expect.poll(its, { timeout: 60_000 }).toBe(Math.min(own + 10, 19));
  } finally {
    await worker.kill();
  }
}, 90_000);
