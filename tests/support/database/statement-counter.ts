import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface StatementCount {
  statements: number;
  /** How often something was sent after an answer; what is sent meanwhile on any connection belongs together. */
  roundTrips: number;
}

export interface StatementCounter {
  /** The database's address through the counter. */
  url: string;
  /** Counts since the last call. */
  take(): StatementCount;
  stop(): void;
}

/** Part of opening a connection, which is no statement's cost. */
const PASSWORD = "p";

/**
 * A proxy between the site and its database that counts Execute and Query messages of PostgreSQL's protocol. It holds
 * answers back for `answerDelayMs`, without which round trips on several connections cannot be told apart.
 */
export async function startStatementCounter(
  databaseUrl: string,
  { answerDelayMs = 0 }: { answerDelayMs?: number } = {},
): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const count: StatementCount = { statements: 0, roundTrips: 0 };
  let tripBeganAt = Number.NEGATIVE_INFINITY;
  const countTrip = () => {
    const now = performance.now();
    if (now - tripBeganAt < answerDelayMs / 2) return;
    tripBeganAt = now;
    count.roundTrips += 1;
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const countIn = messageTypes((type) => {
      if (type === PASSWORD) return;
      countTrip();
      if (type === "E" || type === "Q") count.statements += 1;
    });
    near.on("data", (chunk: Buffer) => {
      countIn(chunk);
      far.write(chunk);
    });
    far.on("data", (chunk) => {
      if (answerDelayMs === 0) near.write(chunk);
      else setTimeout(() => near.writable && near.write(chunk), answerDelayMs);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => one.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    take() {
      const taken = { ...count };
      Object.assign(count, { statements: 0, roundTrips: 0 });
      return taken;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const LENGTH_BYTES = 4;

/** Splits a client's data into messages. The first has no type byte, every other starts with one; a length follows. */
function messageTypes(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isGreeting = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = isGreeting ? 0 : 1;
      if (rest.length < typeBytes + LENGTH_BYTES) return;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (!isGreeting) onMessage(String.fromCharCode(rest[0] ?? 0));
      isGreeting = false;
      rest = rest.subarray(end);
    }
  };
}
