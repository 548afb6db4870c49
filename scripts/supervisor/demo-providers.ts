import { randomBytes, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { paths } from "#app/paths.ts";

/** What the demo needs to sell at a provider's stand-in. */
interface DemoProvider {
  name: string;
  /** The script that plays the provider. */
  program: string;
  settings: Record<string, string>;
  /** Opens the stand-in's control page from another machine. */
  secretKey: string;
  flags: Record<string, string>;
}

interface Addresses {
  /** The stand-in's origin. */
  apiUrl: string;
  /** The site's origin for browsers. */
  siteOrigin: string;
  /** The site's origin as reached from this machine. */
  webOrigin: string;
}

const LOOPBACK = "127.0.0.1";
const ANY = ["0.0.0.0", "::"];
/** The link's own variable, which CCBill fills into the address of the return. */
const CHECKOUT = "%%peony_checkout%%";

export function ccbillDemo({ apiUrl, siteOrigin, webOrigin }: Addresses): DemoProvider {
  const [salt, token] = [newSecret(), newSecret()];
  const returned = paths.subscribeReturn("CHECKOUT").replace("CHECKOUT", CHECKOUT);
  return {
    name: "CCBill",
    program: "ccbill-stand-in",
    settings: {
      CCBILL_ACCOUNT: "900100-0000",
      CCBILL_FLEX_ID: randomUUID(),
      CCBILL_SALT: salt,
      CCBILL_DATALINK_USER: "demo",
      CCBILL_DATALINK_PASSWORD: newSecret(),
      CCBILL_WEBHOOK_TOKEN: token,
      CCBILL_WEBHOOK_RANGES: rangesOf(webOrigin),
      CCBILL_API_URL: apiUrl,
    },
    secretKey: salt,
    flags: {
      "webhook-url": `${webOrigin}/api/billing/webhook/ccbill/${token}`,
      "approval-url": `${siteOrigin}${returned}`,
      "denial-url": `${siteOrigin}${paths.subscribe()}`,
    },
  };
}

export function btcpayDemo({ apiUrl, webOrigin }: Addresses): DemoProvider {
  const apiKey = newSecret();
  return {
    name: "BTCPay Server",
    program: "btcpay-stand-in",
    settings: {
      BTCPAY_URL: apiUrl,
      BTCPAY_STORE_ID: "demo",
      BTCPAY_API_KEY: apiKey,
      BTCPAY_WEBHOOK_SECRET: newSecret(),
    },
    secretKey: apiKey,
    flags: { "webhook-url": `${webOrigin}/api/billing/webhook/btcpay` },
  };
}

/** The stand-in's requests to an address of this machine come from that address. */
function rangesOf(webOrigin: string): string {
  const host = new URL(webOrigin).hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = new Set([LOOPBACK, ...(isIP(host) > 0 && !ANY.includes(host) ? [host] : [])]);
  return [...addresses].map((address) => `${address}/${isIP(address) === 4 ? 32 : 128}`).join(",");
}

/** CCBill's salts have up to 32 letters and digits. */
function newSecret(): string {
  return randomBytes(16).toString("hex");
}
