import { KNOWN_BROWSER_DAYS } from "#app/domain/auth/known-browsers.server.ts";
import { hashSecret, newSecret } from "#app/domain/auth/secrets.server.ts";
import { signedCookie } from "./signed-cookie.server.ts";

/** Passing the age gate and signing in restart it. */
const LIFETIME_SECONDS = KNOWN_BROWSER_DAYS * 24 * 3600;
const ID = /^[\w-]{43}$/;

/** Identifies this browser, signed in or not. The database stores only a hash. */
const browserCookie = signedCookie("browser", LIFETIME_SECONDS);

export async function readBrowserHash(request: Request): Promise<string | null> {
  const id = await readId(request);
  return id === null ? null : hashSecret(id);
}

export interface KeptBrowser {
  browserHash: string;
  setCookie: string;
}

export async function keepBrowserId(request: Request): Promise<KeptBrowser> {
  const id = (await readId(request)) ?? newSecret();
  return { browserHash: hashSecret(id), setCookie: await browserCookie.serialize(id) };
}

async function readId(request: Request): Promise<string | null> {
  const id: unknown = await browserCookie.parse(request.headers.get("Cookie"));
  return typeof id === "string" && ID.test(id) ? id : null;
}
