import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { config } from "#app/config.server.ts";

const KEY_BYTES = 32;
const SIGNATURE = /^[\w-]{43}$/;

/** One key each, so that no signature is valid for another purpose. Renaming one invalidates its signatures. */
export type Purpose =
  | `cookie:${string}`
  | "email-link"
  | "code"
  | "limit"
  | "front"
  | "doctor"
  | "slot-holder"
  | "outbox"
  | "stand-in"
  | "cancel-link"
  | "undo-deletion"
  | "trial"
  | "trial-key";

/** 32 bytes each. The first signs; a second one exists while SESSION_SECRET is replaced, and only verifies. */
export function keysFor(purpose: Purpose): [Buffer, ...Buffer[]] {
  const [first, ...older] = secrets().map((secret) =>
    Buffer.from(hkdfSync("sha256", secret, "", purpose, KEY_BYTES)),
  );
  if (first === undefined) throw new Error("There is no secret");
  return [first, ...older];
}

export function textKeysFor(purpose: Purpose): [string, ...string[]] {
  const [first, ...older] = keysFor(purpose).map((key) => key.toString("base64url"));
  return [first ?? "", ...older];
}

/** Hex, one per key, for values that could be guessed from a plain hash. Store the first. */
export function keyedHashes(purpose: Purpose, text: string): [string, ...string[]] {
  const [first, ...older] = keysFor(purpose);
  return [keyedHash(first, text), ...older.map((key) => keyedHash(key, text))];
}

export function keyedHash(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

export function signText(purpose: Purpose, text: string): string {
  return signature(keysFor(purpose)[0], text);
}

/** Compares the text, not the decoded bytes: two bits of the last character are unused. */
export function isSignatureOf(purpose: Purpose, text: string, given: string): boolean {
  if (!SIGNATURE.test(given)) return false;
  return keysFor(purpose).some((key) => isSameSecret(given, signature(key, text)));
}

/** In constant time for texts of one length. */
export function isSameSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function signature(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

export function isSecretBeingReplaced(): boolean {
  return secrets().length > 1;
}

function secrets(): string[] {
  const { secret, oldSecret } = config.session;
  return oldSecret === null ? [secret] : [secret, oldSecret];
}

export function outboxKey(): string {
  return textKeysFor("outbox")[0];
}

export function isOutboxKey(given: unknown): boolean {
  return typeof given === "string" && isSameSecret(given, outboxKey());
}
