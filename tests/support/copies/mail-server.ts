import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

interface Arrived {
  to: string;
  raw: string;
}

/** A mail server that holds the emails to chosen addresses without an answer. */
export async function startMailServer() {
  const arrived: Arrived[] = [];
  const delayed = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address).join();
        arrived.push({ to, raw: Buffer.concat(chunks).toString() });
        if (!delayed.has(to)) done();
      });
    },
  });
  // A copy that is killed resets its connections.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    delayed,
    mailsTo: (to: string) => arrived.filter((mail) => mail.to === to),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
