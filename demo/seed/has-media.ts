import type { Executor } from "#db/client.server.ts";
import { media } from "#db/schema/catalog.ts";

export async function hasMedia(executor: Pick<Executor, "select">): Promise<boolean> {
  return (await executor.select({ id: media.id }).from(media).limit(1)).length > 0;
}
