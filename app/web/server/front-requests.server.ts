import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isLoopbackAddress } from "#app/config/addresses.ts";
import { config } from "#app/config.server.ts";
import { isSameSecret, signText } from "#app/domain/keys/keys.server.ts";

/** `visit`: a visitor's request, passed on. nginx sends the others on its own account. */
export type FrontCall = "visit" | "visitor" | "file" | "stream" | "stream-check" | "stream-end";

const PREFIX = "x-front-";
/** Only the nginx that the start has begun knows it. */
export const FRONT_KEY = signText("front", "key");

/** The visitor's address: the peer, or the peer of the front. Other programs cannot set the front's headers. */
export function settlePeer({ headers, socket }: IncomingMessage): string {
  const { "x-front-key": key, "x-front-peer": peer } = headers;
  const isFromFront = config.web.hasFront && typeof key === "string" && isSameSecret(key, FRONT_KEY);
  delete headers["x-front-key"];
  if (isFromFront) return String(peer);
  for (const name of Object.keys(headers)) if (name.startsWith(PREFIX)) delete headers[name];
  return socket.remoteAddress ?? "";
}

/** Null for a request that did not come through the front. */
export function frontCallOf(request: Request): FrontCall | null {
  return request.headers.get("x-front-call") as FrontCall | null;
}

export function isFrontsQuestion({ "x-front-call": call }: IncomingHttpHeaders): boolean {
  return call !== undefined && call !== "visit";
}

/** The front's connections carry everybody's requests. */
export function isFront(peer: string): boolean {
  return config.web.hasFront && isLoopbackAddress(peer);
}
