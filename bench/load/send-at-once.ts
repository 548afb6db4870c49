import { Agent, request } from "node:http";

export interface Sent {
  body: string;
  headers: Record<string, string>;
}

/** Keeps one connection open per concurrent request, because a provider does not reconnect for every event either. */
const agent = new Agent({ keepAlive: true });

/**
 * Returns the milliseconds from sending each request until its response has ended. The client is kept cheap: it runs
 * on the server's computer and would take processor time from it.
 */
export function sendAtOnce(url: string, all: Sent[]): Promise<number[]> {
  return Promise.all(all.map((one) => send(url, one)));
}

function send(url: string, { body, headers }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = { "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers: { ...headers, ...length } });
    const begun = performance.now();
    sent.on("error", reject).on("response", (answer) => {
      answer.resume().on("error", reject);
      answer.on("end", () => {
        if (Number(answer.statusCode) < 400) resolve(performance.now() - begun);
        else reject(new Error(`${url} answered with ${answer.statusCode}`));
      });
    });
    sent.end(body);
  });
}
