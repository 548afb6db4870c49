import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedCall {
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  from: string | undefined;
}

/** A site that only writes down what a stand-in sends. */
export async function startReceiver(): Promise<{
  url: string;
  calls: ReceivedCall[];
  /** The status of all further answers. */
  answer(status: number): void;
  stop(): Promise<void>;
}> {
  const calls: ReceivedCall[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
    calls.push({ path, query, headers: request.headers, body, from: request.socket.remoteAddress });
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    calls,
    answer: (next) => {
      status = next;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
