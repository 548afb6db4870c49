import Bowser from "bowser";
import { hashSecret, newSecret } from "#app/domain/auth/secrets.server.ts";
import type { Browser } from "#app/domain/auth/sign-in.server.ts";
import { clientAddress, networkOf } from "./client-address.server.ts";
import { signedCookie } from "./signed-cookie.server.ts";

const LIFETIME_SECONDS = 600;

/** Tells the browser that asked from every other one. */
const browserCookie = signedCookie("signin", LIFETIME_SECONDS);

export async function readBrowserHash(request: Request): Promise<string | null> {
  const secret: unknown = await browserCookie.parse(request.headers.get("Cookie"));
  return typeof secret === "string" && secret !== "" ? hashSecret(secret) : null;
}

/** The browser of a request; one that never asked matches no stored hash. */
export async function readBrowser(request: Request): Promise<Browser> {
  return { browserHash: (await readBrowserHash(request)) ?? "none", ...whereFrom(request) };
}

/** A new mark for the browser that asks now, with the cookie that carries it. */
export async function markBrowser(request: Request): Promise<{ browser: Browser; setCookie: string }> {
  const secret = newSecret();
  const setCookie = await browserCookie.serialize(secret);
  return { browser: { browserHash: hashSecret(secret), ...whereFrom(request) }, setCookie };
}

export function clearBrowserMark(): Promise<string> {
  return browserCookie.serialize("", { maxAge: 0 });
}

function whereFrom(request: Request): { device: string; network: string | null } {
  const { browser, os } = Bowser.parse(request.headers.get("User-Agent") || "unknown");
  const device = `${browser.name || "A browser"} on ${os.name || "an unknown system"}`.slice(0, 80);
  return { device, network: networkOf(clientAddress(request)) };
}
