import type { prices, products } from "#db/schema/billing.ts";

/** A product and a price as our tables hold them, whoever sells them. */
export type OfferedProduct = typeof products.$inferSelect;
export type OfferedPrice = typeof prices.$inferSelect;

export interface Offer {
  products: OfferedProduct[];
  prices: OfferedPrice[];
  /** Ids of prices that cannot be offered here, with the reason in words. */
  unfit: { id: string; reason: string }[];
}

/**
 * What the site needs of whoever takes the payments. Nothing outside the billing room knows which one it is; access never
 * asks it, but reads our own rows.
 */
export interface BillingProvider {
  /** Everything that is for sale now. Throws ProviderUnreachable. */
  readOffer(): Promise<Offer>;
}

/** The provider did not answer in time, or refuses us. The message is one line for the host, without secrets. */
export class ProviderUnreachable extends Error {}
