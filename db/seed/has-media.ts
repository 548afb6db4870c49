import type { Executor } from "../client.server.ts";
import { media } from "../schema/catalog.ts";

/** Whether a migrated database has any media at all. */
export async function hasMedia(executor: Pick<Executor, "select">): Promise<boolean> {
  return (await executor.select({ id: media.id }).from(media).limit(1)).length > 0;
}
