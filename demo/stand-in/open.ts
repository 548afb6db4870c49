import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { StandInAccount } from "./account.ts";
import { answerPage } from "./answer-page.ts";
import type { Answer, Call } from "./call.ts";
import type { PageRoute } from "./page.ts";
import { serve } from "./serve.ts";
import { StateFile } from "./state-file.ts";

const THIS_MACHINE = "127.0.0.1";
const TICK_MS = 1_000;

export interface OpenOptions {
  /** A free port when omitted. */
  port?: number;
  /** The address to listen on; only this machine when omitted. */
  host?: string;
  /** The origin for browsers, when it is not 127.0.0.1. */
  origin?: string;
  stateFile?: string;
  /** The site's public address. A site that has one is no demo, and a stand-in refuses to start. */
  appUrl?: string;
  /** From 0 to below 1: for tests that must be reproducible. */
  random?: () => number;
}

interface Parts<S extends { clockOffset: number }, C, V> {
  account: StandInAccount<S>;
  control: C;
  deliveries: { stop(): void };
  advanceTo: (at: number) => void;
  pages: PageRoute<V>[];
  visit: (call: Call, id: string, form: URLSearchParams) => V;
  answerApi: (call: Call) => Promise<Answer>;
}

interface Opened<C> {
  control: C;
  origin: string;
  port: number;
  /** Saves the state and keeps undelivered events for the next start. */
  stop(): Promise<void>;
}

/** Opens the port and the state of a stand-in, and serves the parts that its provider has. */
export async function openStandIn<S extends { clockOffset: number }, C, V>(
  options: OpenOptions,
  {
    provider,
    secretKey,
    emptyState,
    build,
  }: {
    provider: string;
    /** Opens the control page from another machine. */
    secretKey: string;
    emptyState: () => S;
    build: (opened: { state: S; origin: string; port: number; onChange: () => void }) => Parts<S, C, V>;
  },
): Promise<Opened<C>> {
  if (options.appUrl) throw new Error(`The stand-in for ${provider} does not start when APP_URL is set.`);
  const file = new StateFile(options.stateFile, emptyState);
  const state = file.read();
  const server = createServer();
  server.listen(options.port ?? 0, options.host ?? THIS_MACHINE);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const origin = options.origin ?? `http://${THIS_MACHINE}:${port}`;
  const parts = build({ state, origin, port, onChange: () => file.saveSoon(state) });
  const { account, pages } = parts;
  const served = {
    provider,
    origin,
    secretKey,
    answerPage: (call: Call) => {
      const { ownOrigins } = account;
      return answerPage(pages, call, { ownOrigins, visit: (id, form) => parts.visit(call, id, form) });
    },
    answerApi: parts.answerApi,
  };
  server.on("request", (request, response) => {
    serve(served, request, response).catch((error) => {
      console.error(`The stand-in for ${provider}:`, error);
      response.destroy();
    });
  });
  const ticking = setInterval(() => parts.advanceTo(account.now()), TICK_MS);
  ticking.unref();
  return {
    control: parts.control,
    origin,
    port,
    stop: async () => {
      clearInterval(ticking);
      parts.deliveries.stop();
      server.close();
      server.closeAllConnections();
      file.close(state);
      await once(server, "close");
    },
  };
}
