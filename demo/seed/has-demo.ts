import { eq } from "drizzle-orm";
import type { Executor } from "#db/client.server.ts";
import { media } from "#db/schema/catalog.ts";
import { products } from "#db/schema/prices.ts";

export const DEMO_PRODUCT_ID = "prod_demo";

export async function hasDemo(executor: Pick<Executor, "select">): Promise<boolean> {
  const sold = executor.select({ id: products.id }).from(products).where(eq(products.id, DEMO_PRODUCT_ID));
  return (await sold.limit(1)).length > 0;
}

export async function hasMedia(executor: Pick<Executor, "select">): Promise<boolean> {
  return (await executor.select({ id: media.id }).from(media).limit(1)).length > 0;
}
