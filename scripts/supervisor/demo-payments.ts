import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { controlKeyOf } from "#demo/stand-in/control-access.ts";
import { DEMO_PROVIDERS } from "./demo-providers.ts";
import { findPaymentSettings, type PaymentSettings, storePaymentSettings } from "./payment-settings.ts";
import { isPortFree } from "./port.ts";

/** Added to PORT: with 3000, the stand-in has stripe-mock's default port. */
const PORT_DISTANCE = 9111;
const MAX_TRIES = 20;
const HIGHEST_PORT = 65_535;
const DEMO_STATEMENT = "STAND-IN";

interface DemoPayments {
  /** The provider that the program plays. */
  name: string;
  program: string;
  controlUrl: string;
  settings: PaymentSettings;
  flags: string[];
  /** The last start of this data folder, if any, had another provider, whose prices are still on sale. */
  isNewProvider: boolean;
}

/** Null with a provider or on a real site. `webHost` is the site's host as reached from this machine. */
export async function prepareDemoPayments(webHost: string): Promise<DemoPayments | null> {
  const { providers } = await import("#app/domain/billing/providers/providers.server.ts");
  if (!config.isDemo || providers().size > 0) return null;
  const port = await choosePort(config.web.port);
  const demo = DEMO_PROVIDERS[config.billing.standIn]({
    apiUrl: `http://127.0.0.1:${port}`,
    siteOrigin: config.origin,
    webOrigin: `http://${webHost}:${config.web.port}`,
  });
  const former = findPaymentSettings(config.dataDir, {});
  storePaymentSettings(config.dataDir, demo.settings);
  const origin = `http://localhost:${port}`;
  const flags = {
    port: String(port),
    // If other machines can reach the site, as in a container, they must reach its payment pages too.
    ...(config.web.host === undefined ? {} : { host: config.web.host }),
    origin,
    site: config.billing.site,
    "state-file": join(config.dataDir, `${demo.program}.json`),
    ...demo.flags,
  };
  return {
    name: demo.name,
    program: demo.program,
    controlUrl: `${origin}/?key=${controlKeyOf(demo.secretKey)}`,
    settings: { ...demo.settings, BILLING_STATEMENT: config.billing.statement ?? DEMO_STATEMENT },
    flags: ["--supervised", ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])],
    isNewProvider: !Object.keys(demo.settings).some((name) => name in former),
  };
}

async function choosePort(sitePort: number): Promise<number> {
  const distance = sitePort + PORT_DISTANCE + MAX_TRIES > HIGHEST_PORT ? -PORT_DISTANCE : PORT_DISTANCE;
  for (let port = sitePort + distance; port < sitePort + distance + MAX_TRIES; port++) {
    if (await isPortFree(port, config.web.host)) return port;
  }
  throw new Error(
    `No port from ${sitePort + distance} on is free for the demo's payments: stop what uses them, or choose another PORT.`,
  );
}
