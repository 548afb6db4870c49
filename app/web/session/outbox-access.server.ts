import { isOutboxKey } from "#app/domain/keys/keys.server.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";
import { isDemosOwnMachine } from "../request/trusted-proxies.server.ts";

const LIFETIME_SECONDS = 24 * 3600;

/** The value is the key itself, so a value signed for another cookie is refused. */
const keyCookie = signedCookie("outbox", LIFETIME_SECONDS);

/** The outbox shows everybody's sign-in links. */
export async function mayReadOutbox(request: Request): Promise<boolean> {
  return isOnThisMachine(request) || isOutboxKey(await keyCookie.parse(request.headers.get("Cookie")));
}

export async function keepOutboxKey(request: Request): Promise<string | null> {
  const key = new URL(request.url).searchParams.get("key");
  return isOutboxKey(key) ? keyCookie.serialize(key) : null;
}

/** Behind a proxy the header is empty. */
function isOnThisMachine({ headers, url }: Request): boolean {
  return isDemosOwnMachine(headers.get("x-unforwarded-peer") ?? "", new URL(url).hostname);
}
