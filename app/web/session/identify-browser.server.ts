import Bowser from "bowser";
import type { Browser } from "#app/domain/auth/sign-in.server.ts";
import { keepBrowserId } from "../request/browser-id.server.ts";
import { clientAddress, networkOf } from "../request/client-address.server.ts";

/** Longer than real user agents. Parsing slows down with every character. */
const MAX_USER_AGENT_LENGTH = 512;
const GENERIC = "Generic";
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP).filter((name) => name !== GENERIC));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

/** "Firefox on Windows". Only names from the library's table: emails quote it, and anybody can forge the header. */
export function deviceName(userAgent: string | null): string {
  // Bowser throws on an empty text.
  const { browser, os } = Bowser.parse(userAgent?.slice(0, MAX_USER_AGENT_LENGTH) || "unknown");
  const name = browser.name !== undefined && BROWSERS.has(browser.name) ? browser.name : "A browser";
  const system = os.name !== undefined && SYSTEMS.has(os.name) ? os.name : "an unknown system";
  return `${name} on ${system}`;
}

export async function identifyBrowser(request: Request): Promise<{ browser: Browser; setCookie: string }> {
  const { browserHash, setCookie } = await keepBrowserId(request);
  const device = deviceName(request.headers.get("User-Agent"));
  return { browser: { browserHash, device, network: networkOf(clientAddress(request)) }, setCookie };
}
