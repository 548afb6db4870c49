import type { Config } from "#app/config.server.ts";

export const CCBILL = "ccbill";

export type CcbillSettings = NonNullable<Config["billing"]["ccbill"]>;

const FORMS = "https://api.ccbill.com";
const DATA_LINK = "https://datalink.ccbill.com";

/** A stand-in has the payment page and the API at one origin. */
export function formsOrigin({ apiUrl }: CcbillSettings): string {
  return apiUrl === undefined ? FORMS : new URL(apiUrl).origin;
}

/** A stand-in on this machine has two names. */
export function formsPages({ apiUrl }: CcbillSettings): string[] {
  if (apiUrl === undefined) return [FORMS];
  const { origin, port } = new URL(apiUrl);
  return [origin, `http://localhost:${port}`];
}

export function dataLinkOrigin({ apiUrl }: CcbillSettings): string {
  return apiUrl === undefined ? DATA_LINK : new URL(apiUrl).origin;
}
