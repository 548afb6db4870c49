import { createHash } from "node:crypto";
import { signText } from "#app/domain/keys/keys.server.ts";

/** nginx computes this MAC with its secure_link module, which has only MD5: decision 117. */
export function frontMacKeys(): { before: string; behind: string } {
  return { before: signText("front-proof", "before"), behind: signText("front-proof", "behind") };
}

/** 22 characters in base64url, for a text of fixed form that nobody but the site composes. */
export function frontMac(text: string): string {
  const { before, behind } = frontMacKeys();
  return createHash("md5").update(`${before} ${text} ${behind}`).digest("base64url");
}
