import { domainToUnicode } from "node:url";
import { asciiAddress, MAILBOX } from "#app/config/mail-addresses.ts";
import { MAX_ADDRESS_LENGTH } from "./address.ts";

/** One spelling of each address, in lower case with an ASCII domain; null when it is not exactly one plain mailbox. */
export function parseAddress(input: string): string | null {
  const address = asciiAddress(input).toLowerCase();
  if (address.length > MAX_ADDRESS_LENGTH || address.indexOf("@") > 64) return null;
  return MAILBOX.test(address) ? address : null;
}

/** The address with its domain in its own script, as its owner writes it. */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  return address.slice(0, at) + (domainToUnicode(domain) || domain);
}
