import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";

interface Stored {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The values that the storing request had in the headers that Vary names. */
  varied: Record<string, string | undefined>;
}

export interface CachingProxy {
  origin: string;
  /** The addresses that are stored. */
  stored(): string[];
  stop(): Promise<void>;
}

/** A shared cache in front of a site. It knows nothing of cookies: only Cache-Control and Vary keep it from storing. */
export async function startCachingProxy(target: string): Promise<CachingProxy> {
  const cache = new Map<string, Stored[]>();
  const server = createServer((incoming, reply) => {
    const { url = "/", method = "GET", headers } = incoming;
    const hit = cache.get(url)?.find(({ varied }) => isSame(varied, headers));
    if (method === "GET" && hit !== undefined) {
      reply.writeHead(hit.status, { ...hit.headers, "x-cache": "hit" }).end(hit.body);
      return;
    }
    const forwarded = request(target + url, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const { statusCode: status = 0, headers: received } = answer;
        const body = Buffer.concat(chunks);
        if (method === "GET" && mayStore(received)) {
          const varied = Object.fromEntries(
            namesIn(received.vary).map((name) => [name, textOf(headers[name])]),
          );
          cache.set(url, [...(cache.get(url) ?? []), { status, headers: received, body, varied }]);
        }
        reply.writeHead(status, received).end(body);
      });
    });
    forwarded.on("error", () => reply.destroy());
    incoming.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored: () => [...cache.keys()],
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Stores without an explicit lifetime too, as RFC 9111 lets a cache do by its own guess. */
function mayStore({ "cache-control": rules = "", vary }: IncomingHttpHeaders): boolean {
  return !/\b(no-store|private|no-cache|max-age=0)\b/.test(rules) && vary !== "*";
}

function isSame(varied: Stored["varied"], headers: IncomingHttpHeaders): boolean {
  return Object.entries(varied).every(([name, value]) => textOf(headers[name]) === value);
}

function namesIn(vary: string | undefined): string[] {
  return (vary ?? "").split(",").flatMap((name) => name.trim().toLowerCase() || []);
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(",") : value;
}
