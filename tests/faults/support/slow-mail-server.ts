import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface SlowMailServer {
  url: string;
  /** The number of emails whose text has arrived, accepted or not. */
  arrived(): number;
  /** For each address, when the texts of the emails arrived that the server has accepted, by Date.now(). */
  taken: Map<string, number[]>;
  stop(): void;
}

/** A mail server that takes each mail `delayMs` after its text has arrived; at a free port when `port` is 0. */
export async function startSlowMailServer(delayMs: number, port = 0): Promise<SlowMailServer> {
  let arrived = 0;
  const taken = new Map<string, number[]>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      stream.resume();
      stream.once("end", () => {
        arrived += 1;
        const arrivedAt = Date.now();
        setTimeout(() => {
          for (const { address } of envelope.rcptTo)
            taken.set(address, [...(taken.get(address) ?? []), arrivedAt]);
          done();
        }, delayMs);
      });
    },
  });
  // A killed worker resets its connection.
  server.on("error", () => {});
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const { port: opened } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${opened}`, arrived: () => arrived, taken, stop: () => server.close() };
}
