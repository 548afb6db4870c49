import { domainToUnicode } from "node:url";

export function shownAddress(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  return address.slice(0, at) + (domainToUnicode(domain) || domain);
}
