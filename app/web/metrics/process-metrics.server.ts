import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { listPools } from "#app/domain/health/database.server.ts";

const DELAY_RESOLUTION_MS = 10;
const DURATIONS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The primary adds up the figures of all web processes. */
export const processRegistry = new Registry();
const registers = [processRegistry];

const requests = new Counter({
  name: "peony_http_requests_total",
  help: "Requests that the site has answered, by the pattern of their route.",
  labelNames: ["route", "method", "status"],
  registers,
});

const durations = new Histogram({
  name: "peony_http_request_duration_seconds",
  help: "From the head of a request to the last byte of its response.",
  labelNames: ["route"],
  buckets: DURATIONS_SECONDS,
  registers,
});

export interface AnsweredRequest {
  /** A pattern, never what a visitor wrote. */
  route: string;
  method: string;
  /** Null when the client left before the response began. */
  status: number | null;
  ms: number;
}

export function countRequest({ route, method, status, ms }: AnsweredRequest): void {
  requests.inc({ route, method, status: status ?? "aborted" });
  durations.observe({ route }, ms / 1000);
}

const refusedEvents = new Counter({
  name: "peony_webhook_events_refused_total",
  help: "Calls to the webhook of a payment provider that were refused, by the reason.",
  labelNames: ["provider", "why"],
  registers,
});

export function countRefusedEvent(provider: string, why: string): void {
  refusedEvents.inc({ provider, why });
}

const delays = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
delays.enable();

new Gauge({
  name: "peony_event_loop_delay_seconds",
  help: "How late timers run since the last scrape, in the slowest web process.",
  labelNames: ["percentile"],
  aggregator: "max",
  registers,
  collect() {
    this.set({ percentile: "50" }, delaySeconds(delays.percentile(50)));
    this.set({ percentile: "99" }, delaySeconds(delays.percentile(99)));
    this.set({ percentile: "100" }, delaySeconds(delays.max));
    delays.reset();
  },
});

/** The histogram holds the nanoseconds between two samples. */
function delaySeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - DELAY_RESOLUTION_MS / 1e3);
}

new Counter({
  name: "peony_web_cpu_seconds_total",
  help: "Processor time of the web processes.",
  registers,
  collect() {
    const { user, system } = process.cpuUsage();
    this.reset();
    this.inc((user + system) / 1e6);
  },
});

export function addGauge(name: string, help: string, read: () => number): void {
  // A development reload adds it again.
  processRegistry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });
}

addGauge("peony_web_processes", "Web processes that were asked.", () => 1);
addGauge("peony_web_resident_bytes", "Memory of the web processes.", () => process.memoryUsage.rss());

const pools = { labelNames: ["pool"] as const, registers };

new Gauge({
  name: "peony_database_connections_max",
  help: "Connections that the web processes may open.",
  ...pools,
  collect() {
    for (const { pool, connections } of listPools()) this.set({ pool }, connections);
  },
});

new Gauge({
  name: "peony_database_calls_running",
  help: "Statements and transactions that run or wait for a connection.",
  ...pools,
  collect() {
    for (const { pool, running } of listPools()) this.set({ pool }, running);
  },
});

new Counter({
  name: "peony_database_calls_total",
  help: "Statements and transactions that have ended.",
  ...pools,
  collect() {
    this.reset();
    for (const { pool, ended } of listPools()) this.inc({ pool }, ended);
  },
});

new Counter({
  name: "peony_database_call_seconds_total",
  help: "Time of the ended statements and transactions, with the wait for a connection.",
  ...pools,
  collect() {
    this.reset();
    for (const { pool, seconds } of listPools()) this.inc({ pool }, seconds);
  },
});
