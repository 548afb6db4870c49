import { inArray } from "drizzle-orm";
import { addPrice } from "#app/domain/billing/offers/own-prices.server.ts";
import { sellerOfOwnPrices } from "#app/domain/billing/providers/providers.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { prices, products } from "#db/schema/prices.ts";
import { DEMO_SALE } from "#demo/stand-in/demo-sale.ts";
import { DEMO_PRODUCT_ID } from "./has-demo.ts";

const PLAN = "Membership";
const MONTHLY_ID = "price_demo_monthly";
export const YEARLY_ID = "price_demo_yearly";
const IN_CATALOG = [MONTHLY_ID, YEARLY_ID];

const ACTOR = { id: null, name: "demo", role: "owner" } as const;
const COMMON = { plan: PLAN, currency: "USD", firstDays: "", firstAmount: "" };
const MONTH = { ...COMMON, days: "30", amount: "14.99" };
/** Of providers without a catalog, by their names. */
const OWN_PRICES = {
  ccbill: [
    { ...MONTH, firstDays: "3", firstAmount: "2.95" },
    { ...COMMON, ...DEMO_SALE.ccbill },
  ],
  btcpay: [MONTH, { ...COMMON, ...DEMO_SALE.btcpay }],
};

/** Of a provider with a catalog: its stand-in has the same. */
export async function insertPlan(tx: Transaction): Promise<void> {
  const description = "Every video and every set, old and new.";
  await tx.insert(products).values({ id: DEMO_PRODUCT_ID, name: PLAN, description }).onConflictDoNothing();
  const common = { productId: DEMO_PRODUCT_ID, currency: "usd" };
  await tx
    .insert(prices)
    .values([
      {
        ...common,
        id: MONTHLY_ID,
        unitAmount: 1499,
        interval: "month",
        firstPeriod: { days: 7, amount: 0 },
        description: "Monthly",
      },
      { ...common, id: YEARLY_ID, unitAmount: 11_900, interval: "year", description: "Yearly" },
    ])
    .onConflictDoNothing();
}

/** Puts on sale what the demo's provider sells, instead of what another one sold here before. */
export async function seedOffer(): Promise<void> {
  const seller = sellerOfOwnPrices();
  const catalog = seller === null ? IN_CATALOG : [];
  await db.update(prices).set({ active: inArray(prices.id, catalog) });
  const own = Object.entries(OWN_PRICES).find(([name]) => name === seller?.name)?.[1] ?? [];
  for (const texts of own) {
    const result = await addPrice(ACTOR, texts);
    if ("errors" in result) throw new Error(Object.values(result.errors).join(" "));
  }
}
