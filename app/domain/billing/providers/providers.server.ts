import { type Config, config } from "#app/config.server.ts";
import { type BillingProvider, ProviderUnreachable } from "./contract/provider.ts";
import { stripeProvider } from "./stripe/provider.server.ts";

/** The first one that is set up sells. */
const ADAPTERS: ((billing: Config["billing"]) => BillingProvider | null)[] = [stripeProvider];

type Providers = ReadonlyMap<string, BillingProvider>;

let made: { settings: unknown; providers: Providers } | null = null;

/** By name, all that are set up: a host who changes providers has two until the last former subscription has ended. */
export function providers(): Providers {
  const settings = config.billing.stripe;
  if (made?.settings !== settings) {
    const all = ADAPTERS.map((adapter) => adapter(config.billing)).filter((one) => one !== null);
    made = { settings, providers: new Map(all.map((one) => [one.name, one])) };
  }
  return made.providers;
}

export function providerOf(name: string): BillingProvider | null {
  return providers().get(name) ?? null;
}

/** New subscriptions are sold by this one; everything about a row is asked of the row's own. */
export function sellingProvider(): BillingProvider | null {
  return providers().values().next().value ?? null;
}

/** Null for a provider that is not set up. */
export function webhookMethods(name: string): readonly string[] | null {
  return providerOf(name)?.methods ?? null;
}

export const PAYMENT_PAGES: readonly string[] = [...providers().values()].flatMap(
  ({ pageOrigins }) => pageOrigins,
);

export function isProviderUnreachable(error: unknown): error is ProviderUnreachable {
  return error instanceof ProviderUnreachable;
}
