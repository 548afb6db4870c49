import autocannon, { type Request } from "autocannon";
import { processorMs } from "#tests/support/process/process-figures.ts";
import { median } from "../report/figures.ts";
import type { BenchOptions } from "../report/report.ts";

export const CONNECTIONS = 20;

export interface Target {
  origin: string;
  /** The processes whose processor time counts. */
  pids: number[];
  /** The requests that one connection sends in a circle. */
  requestsOf(connection: number): Request[];
}

export interface Throughput {
  perSecond: number;
  /** Processor time of one request in milliseconds, which other work on the computer affects least. */
  cpuMs: number;
}

export interface Compared {
  site: Throughput;
  reference: Throughput;
  /** The median of the shares of all turns. */
  share: number;
}

const FIRST_WARM_UP_SECONDS = 3;
const TURNS = { full: { turns: 4, seconds: 2, warmUp: 1 }, quick: { turns: 2, seconds: 1, warmUp: 1 } };

/** Loads both in turns, so that disturbances affect both equally. */
export async function compareThroughput(
  site: Target,
  reference: Target,
  { isQuick, turns: atLeast = 0 }: Pick<BenchOptions, "isQuick"> & { turns?: number },
): Promise<Compared> {
  const { turns, seconds, warmUp } = isQuick ? TURNS.quick : TURNS.full;
  for (const target of [site, reference]) await load(target, warmUp);
  const pairs: { site: Throughput; reference: Throughput }[] = [];
  for (let turn = 0; turn < Math.max(turns, atLeast); turn += 1) {
    pairs.push({
      site: await load(site, seconds),
      reference: await load(reference, seconds),
    });
  }
  const of = (which: "site" | "reference") => ({
    perSecond: median(pairs.map((pair) => pair[which].perSecond)),
    cpuMs: median(pairs.map((pair) => pair[which].cpuMs)),
  });
  const share = median(pairs.map((pair) => pair.site.perSecond / pair.reference.perSecond));
  return { site: of("site"), reference: of("reference"), share };
}

/** The first requests of a process are its slowest: code is compiled and connections are opened. */
export async function warmUp(...targets: Target[]): Promise<void> {
  for (const target of targets) await load(target, FIRST_WARM_UP_SECONDS);
}

export async function load(target: Target, duration: number): Promise<Throughput> {
  if (target.requestsOf(0).length === 0) throw new Error("There is nothing to request");
  let connection = 0;
  const before = cpuOf(target);
  const result = await autocannon({
    url: target.origin,
    connections: CONNECTIONS,
    duration,
    setupClient: (client) => client.setRequests(target.requestsOf(connection++)),
  });
  const cpu = cpuOf(target) - before;
  if (result.non2xx > 0 || result.errors > 0) {
    const answers = JSON.stringify(result.statusCodeStats);
    throw new Error(`${target.origin}${target.requestsOf(0)[0]?.path}: ${result.errors} errors, ${answers}`);
  }
  const { total } = result.requests;
  return { perSecond: total / result.duration, cpuMs: cpu / total };
}

export function cpuOf({ pids }: Pick<Target, "pids">): number {
  return pids.reduce((sum, pid) => sum + processorMs(pid), 0);
}

export function throughputText({ perSecond, cpuMs }: Throughput): string {
  return `${perSecond.toFixed(0)}/s, ${cpuMs.toFixed(2)} ms cpu`;
}
