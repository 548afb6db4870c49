import { Agent, request } from "node:http";

export interface LoadRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadAnswer {
  path: string;
  /** 0 when the connection was lost. */
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  /** By performance.now(). */
  startedAt: number;
  milliseconds: number;
}

export interface SteadyLoad {
  /** The answers so far, in the order of their ends. */
  answers: LoadAnswer[];
  /** Requests that wait for their answer for longer than this. */
  pendingFor(milliseconds: number): number;
  /** Sends nothing more and waits for all answers. */
  stop(): Promise<LoadAnswer[]>;
}

/** Sends `perSecond` requests a second, however long the answers take, as visitors do. */
export function startLoad(
  origin: string,
  { perSecond, next }: { perSecond: number; next: (index: number) => LoadRequest },
): SteadyLoad {
  const agent = new Agent({ keepAlive: true });
  const answers: LoadAnswer[] = [];
  const pending = new Map<Promise<void>, number>();
  const begunAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - begunAt) * perSecond) / 1000; sent < due; sent += 1) {
      const one: Promise<void> = send(origin, next(sent), agent).then((answer) => {
        answers.push(answer);
        pending.delete(one);
      });
      pending.set(one, performance.now());
    }
  }, 10);
  return {
    answers,
    pendingFor: (milliseconds) =>
      [...pending.values()].filter((startedAt) => performance.now() - startedAt > milliseconds).length,
    async stop() {
      clearInterval(timer);
      await Promise.all(pending.keys());
      agent.destroy();
      return answers;
    },
  };
}

/** Prints each answer that is an error, or that never came. Returns their number. */
export function reportFailures(answers: LoadAnswer[]): number {
  const failed = answers.filter(({ status }) => status === 0 || status >= 400);
  for (const { path, status, milliseconds } of failed)
    console.error(`${path}: ${status || "no answer"} after ${Math.round(milliseconds)} ms`);
  return failed.length;
}

/** Reads the whole answer. Never rejects. */
export function send(origin: string, given: LoadRequest, agent?: Agent): Promise<LoadAnswer> {
  const { path, method = "GET", headers = {}, body } = given;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, received: LoadAnswer["headers"] = {}) =>
      resolve({ path, status, headers: received, startedAt, milliseconds: performance.now() - startedAt });
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(origin + path, { method, agent, headers: { ...headers, ...length } });
    sent
      .on("error", () => end(0))
      .on("response", (answer) => {
        answer.resume().on("error", () => end(0));
        answer.on("end", () => end(answer.statusCode ?? 0, answer.headers));
      });
    sent.end(body);
  });
}
