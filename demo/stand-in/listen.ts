import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const THIS_MACHINE = "127.0.0.1";
const TICK_MS = 1_000;

export interface ListenOptions {
  /** A free port when omitted. */
  port?: number;
  /** The address to listen on; only this machine when omitted. */
  host?: string;
  /** The origin for browsers, when it is not 127.0.0.1. */
  origin?: string;
}

interface Listener {
  port: number;
  origin: string;
  begin(
    provider: string,
    handlers: {
      answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
      everySecond: () => void;
    },
  ): void;
  stop(): Promise<void>;
}

/** Opens the port first, because what is answered contains it. */
export async function listen({ port, host, origin }: ListenOptions): Promise<Listener> {
  const server = createServer();
  server.listen(port ?? 0, host ?? THIS_MACHINE);
  await once(server, "listening");
  const opened = (server.address() as AddressInfo).port;
  let ticking: NodeJS.Timeout | undefined;
  return {
    port: opened,
    origin: origin ?? `http://${THIS_MACHINE}:${opened}`,
    begin(provider, { answer, everySecond }) {
      server.on("request", (request, response) => {
        answer(request, response).catch((error) => {
          console.error(`The stand-in for ${provider}:`, error);
          response.destroy();
        });
      });
      ticking = setInterval(everySecond, TICK_MS);
      ticking.unref();
    },
    async stop() {
      clearInterval(ticking);
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
