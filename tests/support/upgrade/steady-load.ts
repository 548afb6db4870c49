import { setTimeout as sleep } from "node:timers/promises";

export interface LoadRequest {
  path: string;
  init?: RequestInit;
}

interface Sample {
  startedAt: number;
  ms: number;
  /** 0 when no response came. */
  status: number;
  path: string;
}

/** A fixed rate, whether or not earlier requests have been answered, or clients that wait for each answer. */
type Pace = { perSecond: number } | { clients: number };

const CLIENT_PAUSE_MS = 100;

/** Sends requests to sites until stop(). */
export class SteadyLoad {
  #samples: Sample[] = [];
  #open = new Set<Promise<void>>();
  #origins: string[] = [];
  #sent = 0;
  #isStopping = false;
  #clients: Promise<void>[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly requests: LoadRequest[],
    pace: Pace,
  ) {
    if ("perSecond" in pace) this.#timer = setInterval(() => void this.#send(), 1000 / pace.perSecond);
    else this.#clients = Array.from({ length: pace.clients }, () => this.#actAsClient());
  }

  /** From now on, requests go to these sites in turn. */
  useOnly(...origins: string[]): void {
    this.#origins = origins;
  }

  /** Resolves when everything sent until now has been answered. */
  async settle(): Promise<void> {
    await Promise.all(this.#open);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await Promise.all(this.#clients);
    await this.settle();
  }

  /** The 99th percentile of the response times between two moments of performance.now(), in ms. */
  p99(from: number, to: number): number {
    const times = this.#between(from, to).map(({ ms }) => ms);
    return times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
  }

  count(from: number, to: number): number {
    return this.#between(from, to).length;
  }

  /** A line for each request that got no response, or one that is no success. */
  failures(): string[] {
    return this.#samples
      .filter(({ status }) => status < 200 || status >= 400)
      .map(
        ({ status, path, ms, startedAt }) =>
          `${status} ${path} after ${Math.round(ms)} ms at ${Math.round(startedAt)}`,
      );
  }

  #between(from: number, to: number): Sample[] {
    return this.#samples.filter(({ startedAt }) => startedAt >= from && startedAt < to);
  }

  async #actAsClient(): Promise<void> {
    while (!this.#isStopping) {
      await this.#send();
      await sleep(CLIENT_PAUSE_MS);
    }
  }

  async #send(): Promise<void> {
    const origin = this.#origins[this.#sent % this.#origins.length];
    // Two sites in turn would each get every second request of the list otherwise.
    const request =
      this.requests[Math.floor(this.#sent / (this.#origins.length || 1)) % this.requests.length];
    if (origin === undefined || request === undefined) return;
    this.#sent += 1;
    const open = this.#measure(origin, request).finally(() => this.#open.delete(open));
    this.#open.add(open);
    await open;
  }

  async #measure(origin: string, { path, init }: LoadRequest): Promise<void> {
    const startedAt = performance.now();
    const headers = { ...init?.headers, ...(init?.method === "POST" ? { origin } : {}) };
    const status = await fetch(new URL(path, origin), { redirect: "manual", ...init, headers })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      })
      .catch(() => 0);
    this.#samples.push({ startedAt, ms: performance.now() - startedAt, status, path });
  }
}

/** Pauses for what a scenario measures. */
export async function during(ms: number): Promise<{ from: number; to: number }> {
  const from = performance.now();
  await sleep(ms);
  return { from, to: performance.now() };
}
