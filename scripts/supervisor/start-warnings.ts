import { isLoopbackHost } from "#app/config/addresses.ts";
import { type Config, config } from "#app/config.server.ts";

/** Pages and emails ask members to write, about their money, and visitors about the records. */
export const NO_CONTACT_ADDRESS =
  "Nobody can write to you about their money or about the records: set CONTACT_EMAIL or the contact address in /studio/settings.";

export function openPortWarning({ host, port, trustedProxies }: Config["web"] = config.web): string | null {
  if (typeof trustedProxies !== "number" || trustedProxies === 0) return null;
  if (host !== undefined && isLoopbackHost(host)) return null;
  return `TRUST_PROXY=${trustedProxies} trusts every program that connects to port ${port} from a private network as if it were the proxy: set it to the proxy's address, or open the port to this machine only (HOST=127.0.0.1, or -p 127.0.0.1:${port}:${port} for a container).`;
}
