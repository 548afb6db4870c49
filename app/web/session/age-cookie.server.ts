import { z } from "zod";
import { type KeptBrowser, readBrowserHash } from "../request/browser-id.server.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";
import { frontMac } from "./front-proof.server.ts";

const LIFETIME_SECONDS = 30 * 24 * 3600;
/** nginx verifies this part (app/front/nginx.conf), and the site what follows. Earlier releases wrote only the latter. */
const FRONT_PART = /^\d{10}\.[\w-]{22}\./;

const ageCookie = signedCookie("adult", LIFETIME_SECONDS);
/** `givenAt` keeps a copied cookie from outliving its term; `browserHash` ties it to one browser. */
const ageProof = z.object({ givenAt: z.number(), browserHash: z.string().max(64, { abort: true }) });

export async function hasAgeProof(request: Request): Promise<boolean> {
  const proof = ageProof.safeParse(await ageCookie.parse(request.headers.get("Cookie"), { decode }));
  if (!proof.success || Date.now() / 1000 - proof.data.givenAt >= LIFETIME_SECONDS) return false;
  return proof.data.browserHash === (await readBrowserHash(request));
}

/** The site's part holds the hash of the browser's id, nginx's part is bound to the browser's cookie as it is sent. */
export function serializeAgeProof({ browserHash, setCookie }: KeptBrowser): Promise<string> {
  const givenAt = Math.floor(Date.now() / 1000);
  const endsAt = givenAt + LIFETIME_SECONDS;
  const [, browserCookie] = /^[^=]+=([^;]+)/.exec(setCookie) ?? [];
  const frontPart = `${endsAt}.${frontMac(`${endsAt} ${browserCookie}`)}.`;
  return ageCookie.serialize(
    { givenAt, browserHash },
    { encode: (signed) => frontPart + encodeURIComponent(signed) },
  );
}

function decode(value: string): string {
  return decodeURIComponent(value.replace(FRONT_PART, ""));
}
