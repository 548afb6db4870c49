import { timingSafeEqual } from "node:crypto";
import { textKeysFor } from "#app/domain/keys/keys.server.ts";

/** Opens the demo's outbox from another machine. The same in every process and after a restart. */
export function outboxKey(): string {
  return textKeysFor("outbox")[0];
}

export function isOutboxKey(given: unknown): boolean {
  if (typeof given !== "string") return false;
  const [key, other] = [Buffer.from(outboxKey()), Buffer.from(given)];
  return key.length === other.length && timingSafeEqual(key, other);
}
