import { domainToUnicode } from "node:url";

/** The address with its domain in its own script, as its owner writes it. */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  return address.slice(0, at) + (domainToUnicode(domain) || domain);
}
