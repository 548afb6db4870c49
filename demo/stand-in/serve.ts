import type { IncomingMessage, ServerResponse } from "node:http";
import { isLocalHost } from "#app/config/addresses.ts";
import type { Answer, Call } from "./call.ts";
import { keepControlKey, mayControl } from "./control-access.ts";
import { Markup, page } from "./html.ts";
import type { PageAnswer } from "./page.ts";

const MAX_BYTES = 1_000_000;
const CONTROL_PATH = "/";
const CLOSED =
  "From another machine, this page needs a key: use the address that the site printed when it started.";

export interface Served {
  provider: string;
  origin: string;
  secretKey: string;
  /** Null when there is no such page, so that the call is one of the API. */
  answerPage: (call: Call) => PageAnswer | null;
  answerApi: (call: Call) => Promise<Answer>;
}

/** Serves one request: a page, or else an API call. */
export async function serve(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isLocalHost(request.headers.host ?? "")) return send(response, 421, "Not at this address", {});
  const { pathname, searchParams } = new URL(request.url ?? "/", served.origin);
  const body = await bodyOf(request);
  if (body === null) return send(response, 413, "Too large", {});
  if (pathname === CONTROL_PATH) {
    const setCookie = keepControlKey(searchParams, served.secretKey);
    if (setCookie !== null) {
      return send(response, 303, "", { location: CONTROL_PATH, "set-cookie": setCookie });
    }
    if (!mayControl(request, served.secretKey)) return send(response, 403, CLOSED, {});
  }
  const { method = "GET", headers } = request;
  const call = { method, path: pathname, query: searchParams, body, headers };
  const shown = served.answerPage(call);
  if (shown) return sendPage(response, served.provider, shown);
  const answer = await served.answerApi(call);
  send(response, answer.status, answer.body, answer.headers);
}

function sendPage(response: ServerResponse, provider: string, shown: PageAnswer): void {
  const { status, title = "", body = "", location } = shown;
  const content = body instanceof Markup ? page(provider, title, body).text : body;
  send(response, status, content, {
    "content-type": body instanceof Buffer ? "application/pdf" : "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...(location !== undefined && { location }),
  });
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string>,
): void {
  response.writeHead(status, { "cache-control": "no-store", ...headers }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MAX_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
