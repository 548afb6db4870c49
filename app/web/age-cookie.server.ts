import { signedCookie } from "./signed-cookie.server.ts";

const AGE_PROOF_LIFETIME_SECONDS = 30 * 24 * 3600;

const ageCookie = signedCookie("adult", AGE_PROOF_LIFETIME_SECONDS);

/** Holds when it was given, so that a copied cookie cannot outlive its term. */
export async function hasAgeProof(request: Request): Promise<boolean> {
  const givenAt: unknown = await ageCookie.parse(request.headers.get("Cookie"));
  return typeof givenAt === "number" && Date.now() / 1000 - givenAt < AGE_PROOF_LIFETIME_SECONDS;
}

export function serializeAgeProof(): Promise<string> {
  return ageCookie.serialize(Math.floor(Date.now() / 1000));
}
