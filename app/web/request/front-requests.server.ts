import type { IncomingMessage } from "node:http";
import { isLoopbackAddress } from "#app/config/addresses.ts";
import { config } from "#app/config.server.ts";
import { isSameSecret, signText } from "#app/domain/keys/keys.server.ts";

const PREFIX = "x-front-";
/** The address from which the request came to nginx. */
export const PEER = "x-front-peer";
/** The HTTP version that the visitor or a proxy in front speaks with nginx. */
export const PROTOCOL = "x-front-protocol";
/** Known only to the nginx that this start began. */
export const FRONT_KEY = signText("front", "key");

/** Returns the peer, or the peer of nginx. */
export function stripFrontHeaders({ headers, socket }: IncomingMessage): string {
  const { "x-front-key": key, [PEER]: peer, [PROTOCOL]: protocol } = headers;
  const isFromFront = config.web.hasFront && typeof key === "string" && isSameSecret(key, FRONT_KEY);
  for (const name of Object.keys(headers)) if (name.startsWith(PREFIX)) delete headers[name];
  if (!isFromFront) return socket.remoteAddress ?? "";
  headers[PEER] = String(peer);
  headers[PROTOCOL] = String(protocol);
  return String(peer);
}

/** True when nginx can send a file that the answer names. */
export function isThroughFront(request: Request): boolean {
  return request.headers.has(PEER);
}

export function isFront(peer: string): boolean {
  return config.web.hasFront && isLoopbackAddress(peer);
}
