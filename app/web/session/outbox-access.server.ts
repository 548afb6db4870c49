import { isOutboxKey } from "#app/domain/keys/keys.server.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";
import { isDemosOwnMachine } from "../request/trusted-proxies.server.ts";

const LIFETIME_SECONDS = 24 * 3600;

/** The value is the key itself, so that one signed for another cookie is refused. */
const keyCookie = signedCookie("outbox", LIFETIME_SECONDS);

/** The outbox shows everybody's sign-in links: it can be read only on the demo's own machine or with its key. */
export async function mayReadOutbox(request: Request): Promise<boolean> {
  return isOnThisMachine(request) || isOutboxKey(await keyCookie.parse(request.headers.get("Cookie")));
}

/** The Set-Cookie header for the key in the URL; null when the key is missing or wrong. */
export async function keepOutboxKey(request: Request): Promise<string | null> {
  const key = new URL(request.url).searchParams.get("key");
  return isOutboxKey(key) ? keyCookie.serialize(key) : null;
}

/** The header is empty for a request that came through a proxy. */
function isOnThisMachine({ headers, url }: Request): boolean {
  return isDemosOwnMachine(headers.get("x-unforwarded-peer") ?? "", new URL(url).hostname);
}
