import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * - pass: traffic passes unchanged
 * - refuse: new connections are refused, open ones cut
 * - hang: connections are accepted but never get a response; open ones get nothing more
 * - greet-and-close: connections are closed on their first data, as by a starting server
 */
export type Weather = "pass" | "refuse" | "hang" | "greet-and-close";

export interface ChaosProxy {
  /** The database's address through the proxy. */
  url: string;
  turn(weather: Weather): Promise<void>;
  connections(): number;
  stop(): Promise<void>;
}

/** A proxy between the site and its real database. */
export async function startChaosProxy(databaseUrl: string): Promise<ChaosProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let weather: Weather = "pass";
  let accepted = 0;
  const accept = (near: Socket) => {
    accepted++;
    near.on("error", () => near.destroy());
    if (weather === "hang") return;
    if (weather === "greet-and-close") return void near.once("data", () => near.end());
    const far = connect(Number(target.port), target.hostname);
    const pair = { near, far };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (chunk) => {
        if (weather === "pass") to.write(chunk);
      });
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
      from.on("error", () => to.destroy());
    }
  };

  let server = await listen(accept, 0);
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    connections: () => accepted,
    async turn(next) {
      if (next === weather) return;
      const wasClosed = weather === "refuse";
      weather = next;
      if (next === "refuse") {
        server.close();
        cut();
      } else if (wasClosed) server = await listen(accept, port);
      if (next === "greet-and-close" || next === "pass") cut();
    },
    async stop() {
      server.close();
      cut();
    },
  };
}

async function listen(accept: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept).listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
