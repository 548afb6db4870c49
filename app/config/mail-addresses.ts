import { domainToASCII } from "node:url";
import { MAX_ADDRESS_LENGTH, toPlainWidth, trimInvisible, withoutInvisible } from "../texts.ts";

/** One plain mailbox: no display name, quotes, lists, comments or control characters. */
export const MAILBOX =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Signs that would make the library read the domain as a part of a URL. */
const NOT_IN_DOMAIN = /(?![-.a-z0-9])\p{ASCII}/iu;
/** The first two are those of mail servers. */
const MAX_LENGTH = { address: MAX_ADDRESS_LENGTH, beforeAt: 64, pasted: 500 };

/** Removes what is not seen, and writes a domain in its own script as mail servers want it. Checks nothing. */
export function asciiAddress(typed: string): string {
  const plain = toPlainWidth(withoutInvisible(typed));
  const at = plain.lastIndexOf("@") + 1;
  const domain = plain.slice(at);
  if (/^\p{ASCII}*$/u.test(domain) || NOT_IN_DOMAIN.test(domain)) return plain;
  return plain.slice(0, at) + domainToASCII(domain);
}

/** One spelling of each address, in lower case with an ASCII domain; null when it is not exactly one plain mailbox. */
export function parseAddress(typed: string): string | null {
  const address = asciiAddress(typed).toLowerCase();
  if (address.length > MAX_LENGTH.address || address.indexOf("@") > MAX_LENGTH.beforeAt) return null;
  return MAILBOX.test(address) ? address : null;
}

/** One address as people paste it: behind "mailto:" or a label, in brackets behind a name or itself, or before a full stop. */
export function readAddress(typed: string): string | null {
  const exact = parseAddress(typed);
  if (exact !== null || typed.length > MAX_LENGTH.pasted) return exact;
  const plain = trimmed(toPlainWidth(withoutInvisible(typed)));
  const [, before = "", inBrackets = plain] = /^(.*)[<([]([^<>()[\]]*)[>)\]]$/s.exec(plain) ?? [];
  const address = unlabeled(inBrackets);
  return before.includes("@") && unlabeled(before) !== address ? null : address;
}

function unlabeled(text: string): string | null {
  const bare = trimmed(text)
    .replace(/^[\p{L}\p{Pd} ]*:\s*(?!\/)/u, "")
    .replace(/\?[^@]*$/, "");
  return parseAddress(trimmed(bare));
}

/** A pair around the text, and what ends a sentence or an entry of a list. */
function trimmed(text: string): string {
  const end = text.replace(/[.,;:!?…\s]+$/, "");
  return /^(?:"[^"]*"|'[^']*'|“[^”]*”|\([^()]*\)|\[[^[\]]*\])$/.test(end) ? end.slice(1, -1).trim() : end;
}

export interface Sender {
  /** As people read it; empty when there is none. */
  name: string;
  address: string;
}

/** Printable ASCII without the characters that divide addresses or mark a part of one. */
const SENDER_ADDRESS = /^(?:(?![\s"(),:;<>@[\\\]])[ -~])+@(?:(?![\s"(),:;<>@[\\\]])[ -~])+$/;

/** Reads "mail@example.com" and "Peony, Inc. <mail@example.com>", its name with or without quotes; null for anything else. */
export function parseSender(typed: string): Sender | null {
  const [, before = "", inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(trimInvisible(typed)) ?? [];
  const address = asciiAddress(inBrackets ?? typed);
  const name = trimInvisible(unquoted(before.trim()));
  // A name that holds an address is the rest of a list, or reads like another sender.
  const isNamed = !/\p{Cc}|\S@\S/u.test(name);
  return isNamed && SENDER_ADDRESS.test(address) ? { name, address } : null;
}

function unquoted(name: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(name) ?? [];
  return quoted === undefined ? name : quoted.replaceAll(/\\(.)/g, "$1");
}
