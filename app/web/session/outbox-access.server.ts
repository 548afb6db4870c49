import { isOutboxKey } from "#app/domain/keys/keys.server.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";
import { isDemosOwnMachine } from "../request/trusted-proxies.server.ts";

const LIFETIME_SECONDS = 24 * 3600;

/** Holds the key, so that a value signed for another cookie opens nothing. */
const keyCookie = signedCookie("outbox", LIFETIME_SECONDS);

/** The outbox shows everybody's sign-in links: it opens only on the demo's own machine or with its key. */
export async function mayReadOutbox(request: Request): Promise<boolean> {
  return isOnThisMachine(request) || isOutboxKey(await keyCookie.parse(request.headers.get("Cookie")));
}

/** The Set-Cookie header for the key in the URL; null when the key is missing or wrong. */
export async function keepOutboxKey(request: Request): Promise<string | null> {
  const key = new URL(request.url).searchParams.get("key");
  return isOutboxKey(key) ? keyCookie.serialize(key) : null;
}

/** Behind a proxy every connection comes from the proxy's machine. */
function isOnThisMachine({ headers, url }: Request): boolean {
  return isDemosOwnMachine(headers.get("x-unforwarded-peer") ?? "", new URL(url).hostname);
}
