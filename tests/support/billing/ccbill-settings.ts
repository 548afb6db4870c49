import { parseNetwork } from "#app/config/addresses.ts";
import type { Config } from "#app/config.server.ts";

/** The salt of CCBill's own example of a digest. */
const SALT = "7d901dad245fd0ff6bc20d06";

export function ccbillSettings(
  more: Partial<NonNullable<Config["billing"]["ccbill"]>> = {},
): NonNullable<Config["billing"]["ccbill"]> {
  return {
    clientAccnum: "900100",
    clientSubacc: "0000",
    flexId: "d7d6d9a5-0000-4000-8000-000000000001",
    salt: SALT,
    dataLinkUser: "peony",
    dataLinkPassword: "hunter2-of-the-data-link",
    webhookToken: "t".repeat(32),
    webhookRanges: ["64.38.212.0/24", "127.0.0.1/32"].map(parseNetwork).filter((range) => range !== null),
    apiUrl: undefined,
    ...more,
  };
}
