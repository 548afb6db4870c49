// Needed because prom-client's own sum fails while one process is busy, and falls when one ends: decision 109.
import type { Worker } from "node:cluster";
import {
  isAboutMetrics,
  type ProcessFigures,
  type ToPrimary,
  type ToProcess,
} from "#app/domain/health/metrics-messages.ts";

const REPORT_WITHIN_MS = 1_000;
/** These only grow, so they must keep what ended processes have counted. */
const GROWING = ["counter", "histogram"];

/** Lives in the primary of the web processes. */
export class WebMetrics {
  /** The last report stands in for a busy process; otherwise a counter's sum would fall. */
  readonly #reports = new Map<number, ProcessFigures>();
  #ended: ProcessFigures[] = [];
  #missing = new Set<number>();
  #haveAllReported: () => void = () => {};
  #sum: Promise<string> | null = null;

  constructor(private readonly processes: () => Worker[]) {}

  hear(from: Worker, heard: unknown): void {
    if (!isAboutMetrics(heard)) return;
    const message = heard as ToPrimary;
    if (message.metrics === "request") void this.#answer(from, message.id);
    else this.#record(from.id, message.figures);
  }

  forget(id: number): void {
    const last = this.#reports.get(id) ?? [];
    this.#reports.delete(id);
    this.#ended.push(last.filter(({ type }) => GROWING.includes(String(type))));
    this.#strike(id);
  }

  async #answer(from: Worker, id: string): Promise<void> {
    this.#sum ??= this.#collect().finally(() => {
      this.#sum = null;
    });
    // The process that asked gives up after a while, and answers without the sum.
    const text = await this.#sum.catch(() => null);
    if (text !== null) send(from, { metrics: "sum", id, text });
  }

  async #collect(): Promise<string> {
    const processes = this.processes();
    this.#missing = new Set(processes.map(({ id }) => id));
    const allReported = new Promise<void>((resolve) => {
      this.#haveAllReported = resolve;
    });
    for (const worker of processes) send(worker, { metrics: "report" });
    const timer = setTimeout(this.#haveAllReported, REPORT_WITHIN_MS);
    await allReported;
    clearTimeout(timer);
    // Imported late, because the start has to be quick.
    const { AggregatorRegistry } = await import("prom-client");
    const sum = AggregatorRegistry.aggregate([...this.#ended, ...this.#reports.values()]).metrics();
    const ended = this.#ended.splice(0);
    this.#ended.push(await AggregatorRegistry.aggregate(ended).getMetricsAsJSON());
    return sum;
  }

  #record(id: number, figures: ProcessFigures): void {
    // A report may arrive after its process has ended.
    if (this.processes().some((worker) => worker.id === id)) this.#reports.set(id, figures);
    this.#strike(id);
  }

  #strike(id: number): void {
    this.#missing.delete(id);
    if (this.#missing.size === 0) this.#haveAllReported();
  }
}

/** Without a callback, a message to a process that has just ended would end this one. */
function send(worker: Worker, message: ToProcess): void {
  worker.send(message, () => {});
}
