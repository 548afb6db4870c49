import { randomBytes } from "node:crypto";

const ID_BYTES = 12;
const SECRET_BYTES = 24;

/** Such as "sub_0f3a…": what Stripe puts before the underscore tells the kind. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString("hex")}`;
}

export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(SECRET_BYTES).toString("hex")}`;
}

/** The id of what may have been expanded; what is stored here never is. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (!reference) return null;
  return typeof reference === "string" ? reference : reference.id;
}
