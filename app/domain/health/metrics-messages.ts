import type { MetricObjectWithValues, MetricValue } from "prom-client";

/** The address of the metrics. No route: an unknown page answers everyone who may not read them. */
export const METRICS_PATH = "/metrics";

export type ProcessFigures = MetricObjectWithValues<MetricValue<string>>[];

/** From the primary to a web process: it asks for a report, or sends the sum of all as text, which `id` has requested. */
export type ToProcess = { metrics: "report" } | { metrics: "sum"; id: string; text: string };

export type ToPrimary = { metrics: "request"; id: string } | { metrics: "reported"; figures: ProcessFigures };

/** The channel carries other messages too. */
export function isAboutMetrics(message: unknown): boolean {
  return typeof message === "object" && message !== null && "metrics" in message;
}
