import { config } from "#app/config.server.ts";

/** One account may sell for several sites. An object that names none is ours. */
export function namesAnotherSite(site: string | null | undefined): boolean {
  return (site ?? config.billing.site) !== config.billing.site;
}
