import { type Config, config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { btcpayProvider } from "./btcpay/provider.server.ts";
import { ccbillProvider } from "./ccbill/provider.server.ts";
import { type Capabilities, capabilitiesOf, DEMO_PROVIDER } from "./contract/capabilities.ts";
import { type BillingProvider, ProviderUnreachable } from "./contract/provider.ts";
import { stripeProvider } from "./stripe/provider.server.ts";

/** The settings name the one that sells; without that, the first one that is set up does. */
const ADAPTERS: ((billing: Config["billing"]) => BillingProvider | null)[] = [
  ccbillProvider,
  btcpayProvider,
  stripeProvider,
];

type Providers = ReadonlyMap<string, BillingProvider>;

type Settings = Pick<Config["billing"], "stripe" | "ccbill" | "btcpay">;

let made: (Settings & { providers: Providers }) | null = null;

/** By name, all that are set up: a host who changes providers has two until the last former subscription has ended. */
export function providers(): Providers {
  const { stripe, ccbill, btcpay } = config.billing;
  if (made === null || made.stripe !== stripe || made.ccbill !== ccbill || made.btcpay !== btcpay) {
    const all = ADAPTERS.map((adapter) => adapter(config.billing)).filter((one) => one !== null);
    made = { stripe, ccbill, btcpay, providers: new Map(all.map((one) => [one.name, one])) };
  }
  return made.providers;
}

export function providerOf(name: string): BillingProvider | null {
  return providers().get(name) ?? null;
}

/** New subscriptions are sold by this one; everything about a row is asked of the row's own. */
export function sellingProvider(): BillingProvider | null {
  const { seller } = config.billing;
  return (seller === null ? null : providerOf(seller)) ?? providers().values().next().value ?? null;
}

export function sellerName(): string | null {
  return sellingProvider()?.name ?? null;
}

/** The provider that can close its payment pages; null for one that cannot, and for one that is not set up. */
export function findClosing(name: string): BillingProvider | null {
  return capabilitiesOf(name).canClose ? providerOf(name) : null;
}

/** What can be done with a new subscription. */
export function sellerCapabilities(): Capabilities {
  return capabilitiesOf(sellerName() ?? DEMO_PROVIDER);
}

/** Whether what is sold now is paid beforehand and does not renew. */
export function sellsPrepaid(): boolean {
  return !sellerCapabilities().renews;
}

/** The selling provider, if it has a catalog of prices. Otherwise they are made here. */
export function sellingOffer(): BillingProvider | null {
  const provider = sellingProvider();
  return provider && capabilitiesOf(provider.name).offer === "provider" ? provider : null;
}

/** The selling provider, if it sells the prices that are made here. */
export function sellerOfOwnPrices(): BillingProvider | null {
  return sellingOffer() === null ? sellingProvider() : null;
}

/** Those of whose events none may be lost. */
export function listProvidersOfFacts(): BillingProvider[] {
  return [...providers().values()].filter(({ name }) => capabilitiesOf(name).truth === "facts");
}

/** Those whose subscriptions are asked about one by one. The facts of a prepaid payment were read from its provider. */
export function listProbedProviders(): BillingProvider[] {
  return listProvidersOfFacts().filter(({ name }) => capabilitiesOf(name).renews);
}

/** Null for a provider that is not set up. */
export function webhookMethods(name: string): readonly string[] | null {
  return providerOf(name)?.methods ?? null;
}

/** What the host has still to set for the events of all providers to arrive, a line for each. */
export function paymentWarnings(): string[] {
  return [...providers().values()].flatMap((provider) => {
    const webhook = new URL(paths.api.billingWebhook(provider.name), config.origin).href;
    return provider.findMissing(webhook) ?? [];
  });
}

/** For the host, a line each: logins that do not work, and what to enter at the providers. */
export async function examineProviders(): Promise<{ faults: string[]; setup: string[] }> {
  const faults: string[] = [];
  const setup: string[] = [];
  for (const provider of providers().values()) {
    const fault = await provider.findFault();
    if (fault) faults.push(fault);
    const webhook = new URL(paths.api.billingWebhook(provider.name), config.origin).href;
    setup.push(...provider.setup({ webhook, site: config.origin }));
  }
  return { faults, setup };
}

export const PAYMENT_PAGES: readonly string[] = [...providers().values()].flatMap(
  ({ pageOrigins }) => pageOrigins,
);

export function isProviderUnreachable(error: unknown): error is ProviderUnreachable {
  return error instanceof ProviderUnreachable;
}
