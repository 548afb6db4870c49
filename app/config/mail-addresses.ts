import { domainToASCII } from "node:url";
import { toPlainWidth, trimInvisible, withoutInvisible } from "../texts.ts";

/** One plain mailbox: no display name, quotes, lists, comments or control characters. */
export const MAILBOX =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Signs that would make the library read the domain as a part of a URL. */
const NOT_IN_DOMAIN = /(?![-.a-z0-9])\p{ASCII}/iu;

/** Removes what is not seen, and writes a domain in its own script as mail servers want it. Checks nothing. */
export function asciiAddress(typed: string): string {
  const plain = toPlainWidth(withoutInvisible(typed));
  const at = plain.lastIndexOf("@") + 1;
  const domain = plain.slice(at);
  if (/^\p{ASCII}*$/u.test(domain) || NOT_IN_DOMAIN.test(domain)) return plain;
  return plain.slice(0, at) + domainToASCII(domain);
}

/** The same for "Peony <mail@example.com>". */
export function asciiSender(typed: string): string {
  const [, name = "", address] = /^([^<>]*)<([^<>]*)>$/.exec(trimInvisible(typed)) ?? [];
  return address === undefined ? asciiAddress(typed) : `${name}<${asciiAddress(address)}>`;
}
