// Needed because each scrape reaches another process, and prom-client's own sum fails while one is busy: decision 109.
import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import { isAboutMetrics, type ToPrimary, type ToProcess } from "#app/domain/health/metrics-messages.ts";
import { processRegistry } from "./process-metrics.server.ts";

/** The primary waits a second for busy processes. */
const SUM_WITHIN_MS = 5_000;

const waiting = new Map<string, (text: string) => void>();

export function reportToPrimary(): void {
  if (!cluster.isWorker) return;
  process.on("message", (message: unknown) => {
    if (isAboutMetrics(message)) void answer(message as ToProcess);
  });
}

async function answer(message: ToProcess): Promise<void> {
  if (message.metrics === "sum") waiting.get(message.id)?.(message.text);
  else send({ metrics: "reported", figures: await processRegistry.getMetricsAsJSON() });
}

/** Rejects when the primary does not answer. */
export async function processMetrics(): Promise<string> {
  if (!cluster.isWorker) return processRegistry.metrics();
  const id = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error("The web processes' primary does not answer")),
        SUM_WITHIN_MS,
      );
      waiting.set(id, resolve);
      send({ metrics: "request", id });
    });
  } finally {
    clearTimeout(timer);
    waiting.delete(id);
  }
}

/** Without a callback, a message to a primary that just died would end this process. */
function send(message: ToPrimary): void {
  process.send?.(message, undefined, undefined, () => {});
}
