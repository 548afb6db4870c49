import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { receiveEvent } from "#app/domain/billing/events/receive-event.server.ts";
import { paths } from "#app/paths.ts";

/** The route of the webhook, as far as a provider can see it. */
export async function startWebhookSite(provider: string, token?: string) {
  const given = { token };
  const answers: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const url = new URL(request.url ?? "/", "http://localhost");
    const from = request.socket.remoteAddress ?? "";
    const headers = new Headers();
    for (const [name, [value = ""] = []] of Object.entries(request.headersDistinct)) headers.set(name, value);
    const call = { method: request.method ?? "", url, headers, body, from };
    const received = await receiveEvent(provider, { ...call, token: given.token ?? null });
    answers.push(received === null ? "none" : "why" in received ? received.why : received.what);
    response.writeHead(received?.answer.status ?? 404).end(received?.answer.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${paths.api.billingWebhook(provider, token)}`,
    /** What became of each call. */
    answers,
    /** As if the calls came to another path. */
    setToken: (other: string) => {
      given.token = other;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
