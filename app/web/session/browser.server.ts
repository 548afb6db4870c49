import type { Browser } from "#app/domain/auth/sign-in.server.ts";
import { keepBrowserId } from "../request/browser-id.server.ts";
import { clientAddress, networkOf } from "../request/client-address.server.ts";
import { deviceName } from "./device-name.ts";

export async function identifyBrowser(request: Request): Promise<{ browser: Browser; setCookie: string }> {
  const { browserHash, setCookie } = await keepBrowserId(request);
  const device = deviceName(request.headers.get("User-Agent"));
  return { browser: { browserHash, device, network: networkOf(clientAddress(request)) }, setCookie };
}
