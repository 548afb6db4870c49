import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface StatementCounter {
  /** The database's address through the counter. */
  url: string;
  /** The number of statements since the last call. */
  take(): number;
  stop(): void;
}

/** A proxy between the site and its database that counts Parse and Query messages of PostgreSQL's protocol. */
export async function startStatementCounter(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const countIn = messageTypes((type) => {
      if (type === "P" || type === "Q") count += 1;
    });
    near.on("data", (chunk: Buffer) => {
      countIn(chunk);
      far.write(chunk);
    });
    far.on("data", (chunk) => near.write(chunk));
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
      const taken = count;
      count = 0;
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
