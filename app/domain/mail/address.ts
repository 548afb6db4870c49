export const MAX_ADDRESS_LENGTH = 254;
/** One plain mailbox: no display name, quotes, lists, comments or control characters. */
const MAILBOX =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The address in lower case; null when it is not exactly one plain mailbox. */
export function parseAddress(input: string): string | null {
  if (input.length > MAX_ADDRESS_LENGTH) return null;
  const address = input.replace(/^ +| +$/g, "").toLowerCase();
  return address.indexOf("@") <= 64 && MAILBOX.test(address) ? address : null;
}

/** "a…@example.com": enough to recognize one's own address, not enough to learn another's. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}

/** Mail domains that ignore dots in the local part, with their main names. */
const DOTLESS: Record<string, string> = { "gmail.com": "gmail.com", "googlemail.com": "gmail.com" };

/** All spellings of one mailbox give the same address. */
export function mailboxOf(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf("@");
  const domain = lower.slice(at + 1);
  const [local = ""] = lower.slice(0, at).split("+", 1);
  const dotless = DOTLESS[domain];
  return dotless === undefined ? `${local}@${domain}` : `${local.replaceAll(".", "")}@${dotless}`;
}
