import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** Receives the payment provider's events and sends each to all addresses at once. */
export async function startEventFork(addresses: () => string[]) {
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const sent = addresses().map((address) => send(address, request.headers, body));
    const answers = await Promise.all(sent);
    statuses.push(...answers);
    response.writeHead(Math.max(...answers)).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    /** Those of every answer so far. */
    statuses,
    stop: () => server.close(),
  };
}

async function send(address: string, headers: IncomingHttpHeaders, body: string): Promise<number> {
  const signature = String(headers["stripe-signature"]);
  return (await fetch(address, { method: "POST", headers: { "stripe-signature": signature }, body })).status;
}
