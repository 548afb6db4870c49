import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { startWorker } from "./billing/worker-process.ts";

test("the worker gives way to the processes that somebody waits for", async () => {
  const worker = startWorker();
  try {
    const own = getPriority();
    const its = () => getPriority(worker.process.pid);
    await expect.poll(its, { timeout: 20_000 }).toBe(Math.min(own + 10, 19));
  } finally {
    await worker.kill();
  }
});
