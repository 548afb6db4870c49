import type { IncomingMessage, ServerResponse } from "node:http";
import { isLocalHost } from "#app/config/addresses.ts";
import type { Failures } from "../http/failures.ts";
import { Markup } from "../pages/html.ts";
import type { Account } from "../state/account.ts";
import type { Control } from "../subscriptions/control.ts";
import { type ApiAnswer, answerApi } from "./answer-api.ts";
import { answerPage } from "./answer-page.ts";
import { keepControlKey, mayControl } from "./control-access.ts";
import type { RunningKeys } from "./idempotency.ts";

const MAX_BYTES = 1_000_000;
const CONTROL_PATH = "/";
const CLOSED =
  "From another machine, this page needs a key: use the address that the site printed when it started.";

export interface Served {
  account: Account;
  control: Control;
  failures: Failures;
  running: RunningKeys;
  secretKey: string;
}

/** Serves one request: an API call below /v1, or a page otherwise. */
export async function serve(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isLocalHost(request.headers.host ?? "")) return send(response, 421, "Not at this address", {});
  const { pathname, search, searchParams } = new URL(request.url ?? "/", served.account.origin);
  const method = request.method ?? "GET";
  const body = await bodyOf(request);
  if (body === null) return send(response, 413, "Too large", {});
  if (pathname === CONTROL_PATH) {
    const setCookie = keepControlKey(searchParams, served.secretKey);
    if (setCookie !== null) {
      return send(response, 303, "", { location: CONTROL_PATH, "set-cookie": setCookie });
    }
    if (!mayControl(request, served.secretKey)) return send(response, 403, CLOSED, {});
  }
  const page = pathname.startsWith("/v1/")
    ? null
    : answerPage(served.account, served.control, {
        method,
        path: pathname,
        body,
        origin: request.headers.origin,
      });
  if (page) {
    const content = page.body instanceof Markup ? page.body.text : (page.body ?? "");
    send(response, page.status, content, {
      "content-type": page.body instanceof Buffer ? "application/pdf" : "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      ...(page.location !== undefined && { location: page.location }),
    });
    return;
  }
  const answer: ApiAnswer = await answerApi(
    served.account,
    {
      method,
      path: pathname,
      query: search.slice(1),
      body,
      authorization: request.headers.authorization ?? "",
      idempotencyKey: headerOf(request, "idempotency-key"),
    },
    served,
  );
  send(response, answer.status, answer.body, answer.headers);
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

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}
