import { z } from "zod";
import { AGE_PROOF_DAYS } from "#app/domain/auth/known-browsers.server.ts";
import { type KeptBrowser, readBrowserHash } from "../request/browser-id.server.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";

const LIFETIME_SECONDS = AGE_PROOF_DAYS * 24 * 3600;

const ageCookie = signedCookie("adult", LIFETIME_SECONDS);
/** `givenAt` keeps a copied cookie from outliving its term, and `browserHash` ties it to one browser. */
const ageProof = z.object({ givenAt: z.number(), browserHash: z.string().max(64, { abort: true }) });

export async function hasAgeProof(request: Request): Promise<boolean> {
  const proof = ageProof.safeParse(await ageCookie.parse(request.headers.get("Cookie")));
  if (!proof.success || Date.now() / 1000 - proof.data.givenAt >= LIFETIME_SECONDS) return false;
  return proof.data.browserHash === (await readBrowserHash(request));
}

export function serializeAgeProof({ browserHash }: KeptBrowser): Promise<string> {
  return ageCookie.serialize({ givenAt: Math.floor(Date.now() / 1000), browserHash });
}
