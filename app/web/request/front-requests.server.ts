import type { IncomingMessage } from "node:http";
import { isLoopbackAddress } from "#app/config/addresses.ts";
import { config } from "#app/config.server.ts";
import { isSameSecret, signText } from "#app/domain/keys/keys.server.ts";

const PREFIX = "x-front-";
/** On a request that nginx passes on, the address from which it came to nginx. */
export const PEER = "x-front-peer";
/** The HTTP that the visitor, or a proxy in front, speaks with nginx. */
export const PROTOCOL = "x-front-protocol";
/** Only the nginx that the start has begun knows it. */
export const FRONT_KEY = signText("front", "key");
/** With it, the site makes the address at which nginx takes in the files of one form. */
export const UPLOAD_FORM_KEY = signText("front", "upload form");

/** Returns the peer, or the peer of nginx. Headers of this name from anybody else are removed. */
export function stripFrontHeaders({ headers, socket }: IncomingMessage): string {
  const { "x-front-key": key, [PEER]: peer, [PROTOCOL]: protocol } = headers;
  const isFromFront = config.web.hasFront && typeof key === "string" && isSameSecret(key, FRONT_KEY);
  for (const name of Object.keys(headers)) if (name.startsWith(PREFIX)) delete headers[name];
  if (!isFromFront) return socket.remoteAddress ?? "";
  headers[PEER] = String(peer);
  headers[PROTOCOL] = String(protocol);
  return String(peer);
}

/** True when nginx passes the answer on, and so can send a file that the answer names. */
export function isThroughFront(request: Request): boolean {
  return request.headers.has(PEER);
}

/** The front's connections carry everybody's requests. */
export function isFront(peer: string): boolean {
  return config.web.hasFront && isLoopbackAddress(peer);
}
