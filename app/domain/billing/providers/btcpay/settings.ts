import type { Config } from "#app/config.server.ts";

export const BTCPAY = "btcpay";

export type BtcpaySettings = NonNullable<Config["billing"]["btcpay"]>;

/** A server on this machine has two names. */
export function pageOriginsOf({ url }: BtcpaySettings): string[] {
  const { origin, hostname, port } = new URL(url);
  return hostname === "127.0.0.1" ? [origin, `http://localhost:${port}`] : [origin];
}
