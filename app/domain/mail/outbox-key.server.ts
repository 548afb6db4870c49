import { isSameSecret, textKeysFor } from "#app/domain/keys/keys.server.ts";

/** Opens the demo's outbox from another machine. The same in every process and after a restart. */
export function outboxKey(): string {
  return textKeysFor("outbox")[0];
}

export function isOutboxKey(given: unknown): boolean {
  return typeof given === "string" && isSameSecret(given, outboxKey());
}
