import type { IncomingMessage } from "node:http";
import type { Refusal } from "../request/request-context.server.ts";

export const METHODS = new Set(["GET", "HEAD", "POST"]);
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
/** Matches no route, so that our own error page answers instead of remix-serve's. */
export const NOT_FOUND = "/not-an-address";
export const MEDIA = "/media/";

export const BAD_METHOD: Refusal = {
  status: 405,
  sentence: "This site does not answer this method: use GET, HEAD or POST.",
  headers: [["Allow", [...METHODS].join(", ")]],
};
/** remix-serve answers these with its own error on static files; only media are large enough to need them. */
const OF_PARTS = ["range", "if-range", "if-match", "if-unmodified-since"];
export const BAD_TARGET: Refusal = {
  status: 400,
  sentence: "The server could not read the address of this request.",
};
const BAD_HOST: Refusal = { status: 400, sentence: "The server could not read the host of this request." };

/** Rewrites the request to what Express and Remix can parse. Returns a refusal when that is impossible. */
export function settleTarget(request: IncomingMessage): Refusal | null {
  if (!METHODS.has(request.method ?? "")) return BAD_METHOD;
  if (!takeAbsoluteForm(request)) return BAD_TARGET;
  if (!hasReadableHost(request)) return BAD_HOST;
  const [path = "/", ...query] = (request.url ?? "/").split("?");
  const isMedia = path.startsWith(MEDIA);
  if (!isMedia) for (const name of OF_PARTS) delete request.headers[name];
  request.url = (isDecodable(path) ? path : isMedia ? MEDIA : NOT_FOUND) + settledQuery(query.join("?"));
  return null;
}

/** "GET http://host/path" is valid HTTP; its host overrides the Host header. */
function takeAbsoluteForm(request: IncomingMessage): boolean {
  const target = request.url ?? "";
  if (target.startsWith("/")) return true;
  const [, host = "", rest = ""] = /^https?:\/\/([^/?#]+)([^#]*)$/i.exec(target) ?? [];
  if (host === "") return false;
  request.headers.host = host;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  return true;
}

function hasReadableHost({ headers }: IncomingMessage): boolean {
  const forwarded = headers["x-forwarded-host"]?.toString().split(",") ?? [];
  const hosts = [...(headers.host === undefined ? [] : [headers.host]), ...forwarded];
  return hosts.every((host) => HOST.test(host.trim()) && URL.canParse(`http://${host.trim()}`));
}

/** Postgres cannot store NUL in text. */
function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

/** Removes Remix's former data parameter, which it logs as an error, and replaces each NUL with U+FFFD. */
function settledQuery(query: string): string {
  const kept = query
    .split("&")
    .filter((part) => !new URLSearchParams(part).has("_data"))
    .join("&")
    .replaceAll("%00", "%EF%BF%BD");
  return kept === "" ? "" : `?${kept}`;
}
