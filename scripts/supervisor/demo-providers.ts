import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { keysFor } from "#app/domain/keys/keys.server.ts";
import { paths } from "#app/paths.ts";
import type { PaymentSettings } from "./payment-settings.ts";

/** What the demo needs to sell at a provider's stand-in. */
interface DemoProvider {
  name: string;
  /** The script that plays the provider. */
  program: string;
  settings: PaymentSettings;
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
const FLEX_ID = "d7d6d9a5-0000-4000-8000-000000000001";
/** CCBill's salts have up to 32 letters and digits. */
const SALT_LENGTH = 32;

/** By the names of the setting PAYMENTS. */
export const DEMO_PROVIDERS = { stripe: stripeDemo, ccbill: ccbillDemo, btcpay: btcpayDemo };

function stripeDemo({ apiUrl, webOrigin }: Addresses): DemoProvider {
  const secretKey = `sk_test_${newSecret()}`;
  return {
    name: "Stripe",
    program: "stripe-stand-in",
    settings: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: `whsec_${newSecret()}`,
      STRIPE_API_URL: apiUrl,
    },
    secretKey,
    flags: { "webhook-url": webOrigin + paths.api.billingWebhook("stripe") },
  };
}

export function ccbillDemo({ apiUrl, siteOrigin, webOrigin }: Addresses): DemoProvider {
  // The links of open purchases still open the payment page after a restart.
  const salt = keysFor("stand-in")[0].toString("hex").slice(0, SALT_LENGTH);
  const token = newSecret();
  const returned = paths.subscribeReturn("CHECKOUT").replace("CHECKOUT", CHECKOUT);
  return {
    name: "CCBill",
    program: "ccbill-stand-in",
    settings: {
      CCBILL_ACCOUNT: "900100-0000",
      CCBILL_FLEX_ID: FLEX_ID,
      CCBILL_SALT: salt,
      CCBILL_DATALINK_USER: "demo",
      CCBILL_DATALINK_PASSWORD: newSecret(),
      CCBILL_WEBHOOK_TOKEN: token,
      CCBILL_WEBHOOK_RANGES: rangesOf(webOrigin),
      CCBILL_API_URL: apiUrl,
    },
    secretKey: salt,
    flags: {
      "webhook-url": webOrigin + paths.api.billingWebhook("ccbill", token),
      "approval-url": siteOrigin + returned,
      "denial-url": siteOrigin + paths.subscribe(),
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
    flags: { "webhook-url": webOrigin + paths.api.billingWebhook("btcpay") },
  };
}

/** The stand-in's requests to an address of this machine come from that address. */
function rangesOf(webOrigin: string): string {
  const host = new URL(webOrigin).hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = new Set([LOOPBACK, ...(isIP(host) > 0 && !ANY.includes(host) ? [host] : [])]);
  return [...addresses].map((address) => `${address}/${isIP(address) === 4 ? 32 : 128}`).join(",");
}

function newSecret(): string {
  return randomBytes(16).toString("hex");
}
