import { eq } from "drizzle-orm";
import type { Executor } from "../client.server.ts";
import { products } from "../schema/billing.ts";

export const DEMO_PRODUCT_ID = "prod_demo";

/** Whether the demo was ever loaded into a migrated database. */
export async function hasDemo(executor: Pick<Executor, "select">): Promise<boolean> {
  const sold = executor.select({ id: products.id }).from(products).where(eq(products.id, DEMO_PRODUCT_ID));
  return (await sold.limit(1)).length > 0;
}
