import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * - pass: traffic passes unchanged
 * - refuse: new connections are refused, open ones cut
 * - hang: connections are accepted but never get a response; open ones get nothing more
 * - greet-and-close: connections are closed on their first data, as by a starting server
 * - reset: connections are reset on their first data, open ones at once
 * - slow: traffic passes 200 ms later, and up to 100 ms more
 * - cut: connections are closed once the database has sent 1 KB on them
 * - lose-puts: the answers to HTTP requests with PUT are lost, with their connections
 * - deaf: announcements of the database are lost, as behind a pooler
 */
export type Weather =
  | "pass"
  | "refuse"
  | "hang"
  | "greet-and-close"
  | "reset"
  | "slow"
  | "cut"
  | "deaf"
  | "lose-puts";

const DELAY_MS = 200;
const JITTER_MS = 100;
const CUT_AFTER_BYTES = 1_024;

export interface ChaosProxy {
  /** The database's address through the proxy. */
  url: string;
  turn(weather: Weather): Promise<void>;
  connections(): number;
  stop(): Promise<void>;
}

/** A proxy between the site and its real database or object store. */
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
    if (weather === "reset") return void near.once("data", () => near.resetAndDestroy());
    const far = connect(Number(target.port), target.hostname);
    const pair = { near, far };
    pairs.add(pair);
    const withoutAnnouncements = announcementFilter();
    let hasPut = false;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      let passed = 0;
      let previous = Promise.resolve();
      from.on("data", (chunk) => {
        passed += chunk.length;
        const heard = from === far ? withoutAnnouncements(chunk) : chunk;
        if (weather === "pass") to.write(chunk);
        if (weather === "lose-puts") {
          if (from === near) hasPut ||= chunk.toString("latin1", 0, 4) === "PUT ";
          if (from === far && hasPut) near.resetAndDestroy();
          else to.write(chunk);
        }
        if (weather === "deaf") to.write(heard);
        if (weather === "cut") {
          if (from === far && passed > CUT_AFTER_BYTES) near.end();
          else to.write(chunk);
        }
        if (weather === "slow") {
          // Timers alone do not keep the order of chunks.
          const late = sleep(DELAY_MS + Math.random() * JITTER_MS);
          previous = Promise.all([previous, late]).then(() => void to.write(chunk));
        }
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
      if (next === "greet-and-close" || next === "reset" || next === "pass") cut();
    },
    async stop() {
      server.close();
      cut();
    },
  };
}

const ANNOUNCEMENT = "A".charCodeAt(0);
const NO_TLS = "N".charCodeAt(0);

/** Takes what the database sends on one connection, and leaves out its notifications. */
function announcementFilter(): (chunk: Buffer) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const kept: Buffer[] = [];
    // The answer to a request for encryption is a single byte.
    if (isFirst && rest[0] === NO_TLS) {
      kept.push(rest.subarray(0, 1));
      rest = rest.subarray(1);
    }
    isFirst = false;
    while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      if (rest[0] !== ANNOUNCEMENT) kept.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return Buffer.concat(kept);
  };
}

async function listen(accept: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept).listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
