import { Agent, request } from "node:http";

export interface Sent {
  body: string;
  headers: Record<string, string>;
}

/** One for each that waits at once, kept open: a provider does not connect anew for every event either. */
const agent = new Agent({ keepAlive: true });

/**
 * Milliseconds each, from when a request is given to its connection until its answer has ended. By means that take little
 * time themselves: on one computer with the server, what the client does is time that the server lacks.
 */
export function sendAtOnce(url: string, all: Sent[]): Promise<number[]> {
  return Promise.all(all.map((one) => send(url, one)));
}

function send(url: string, { body, headers }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = { "content-length": Buffer.byteLength(body) };
    const outgoing = request(url, { method: "POST", agent, headers: { ...headers, ...length } });
    const begun = performance.now();
    outgoing.on("error", reject).on("response", (answer) => {
      answer.resume().on("error", reject);
      answer.on("end", () => {
        if (Number(answer.statusCode) < 400) resolve(performance.now() - begun);
        else reject(new Error(`${url} answered with ${answer.statusCode}`));
      });
    });
    outgoing.end(body);
  });
}
