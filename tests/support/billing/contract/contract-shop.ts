import { randomUUID } from "node:crypto";
import { config } from "#app/config.server.ts";
import { addPrice } from "#app/domain/billing/offers/own-prices.server.ts";
import type { CallRefusal } from "#app/domain/billing/providers/contract/events.ts";
import type { Terms } from "#app/domain/billing/providers/contract/facts.ts";
import type { CheckoutOrder } from "#app/domain/billing/providers/contract/provider.ts";
import type { SharedControl } from "#demo/stand-in/control.ts";
import type { Site } from "#tests/support/site.ts";

/** In the currency's smallest unit. `renewal`: null where the page does not name it. */
interface Asked {
  currency: string;
  first: number;
  renewal: number | null;
}

/** The site, selling at the stand-in for one provider, and what a story asks of that provider. Ids are ours. */
export interface ContractShop {
  provider: string;
  /** Why a forged event is refused. */
  forgedIs: CallRefusal;
  site: Site;
  control: SharedControl<unknown>;
  /** A plan without a first period of its own. */
  priceId: string;
  /** Another plan. */
  otherPriceId: string;
  /** Pays on the provider's page as a buyer does. Returns the address to which that leads. */
  pay(page: string, how?: "works" | "declined"): Promise<string | null>;
  /** What happens without the buyer; null where nobody can be charged. */
  charges: {
    /** "forGood": every attempt until the provider gives up. */
    fail(id: string, how: "once" | "forGood"): void;
    /** The provider's support or dashboard cancels. */
    cancel(id: string): Promise<unknown>;
    /** The provider ends it at once, paid or not. */
    end(id: string): Promise<unknown>;
    chargeBack(id: string): void;
    /** The newest subscription, of which no event has told yet. */
    newest(): Promise<string>;
  } | null;
  refund(id: string): void;
  /** What the provider itself says. */
  stateOf(id: string): Promise<"renewing" | "ending" | "over">;
  /** What its payment page asks for these terms; null when it cannot sell them. */
  asked(terms: Terms): Promise<Asked | null>;
  stop(): Promise<void>;
}

const OWNER = { id: null, name: "test", role: "owner" } as const;

/** The stories' videos are this process's. */
export const STATEMENT = "PEONY FILMS";
export const siteOptions = {
  dataDir: config.dataDir,
  env: { LOG_LEVEL: "warn", BILLING_STATEMENT: STATEMENT },
};

/** For the adapter alone; the site knows nothing of it. */
export function orderOf(terms: Terms): CheckoutOrder {
  const names = { checkoutId: randomUUID(), customerId: "", priceId: "" };
  const urls = { returnUrl: config.origin, cancelUrl: config.origin };
  return { ...names, ...urls, currency: terms.currency, firstPeriod: null, terms };
}

/** A price of the site, which counts in days. */
export async function addDays(days: number, amount: string): Promise<string> {
  const first = { firstDays: "", firstAmount: "" };
  const result = await addPrice(OWNER, {
    plan: "All",
    amount,
    currency: "USD",
    days: String(days),
    ...first,
  });
  if ("errors" in result) throw new Error(JSON.stringify(result.errors));
  return result.added.id;
}
