export const MAX_ADDRESS_LENGTH = 254;
/** One plain mailbox: no display name, quotes, lists, comments or control characters can pass. */
const MAILBOX =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The address in lower case, or null when it is not exactly one plain mailbox. */
export function parseAddress(input: string): string | null {
  const address = input.replace(/^ +| +$/g, "").toLowerCase();
  const local = address.indexOf("@");
  return address.length <= MAX_ADDRESS_LENGTH && local <= 64 && MAILBOX.test(address) ? address : null;
}

/** "a…@example.com": enough to recognise one's own address, not enough to learn somebody's. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}
