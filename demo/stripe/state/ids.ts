import { randomBytes } from "node:crypto";

const ID_BYTES = 12;
const SECRET_BYTES = 24;

/** For example "sub_0f3a…": as at Stripe, the prefix identifies the kind of object. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString("hex")}`;
}

export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(SECRET_BYTES).toString("hex")}`;
}

/** The id of a possibly expanded reference; stored objects are never expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (!reference) return null;
  return typeof reference === "string" ? reference : reference.id;
}
