import { readAddress } from "#app/config/mail-addresses.ts";
import { quoted } from "#app/texts.ts";
import { MAX_ALARM_ADDRESSES } from "./settings.ts";

const NAMED = 5;

interface AlarmAddresses {
  addresses: string[];
  error: string | null;
}

/** Blank lines count for the numbers alone. */
export function readAlarmAddresses(text: string): AlarmAddresses {
  const lines = text.split("\n").map((typed, index) => ({
    typed: typed.trim(),
    number: index + 1,
    address: readAddress(typed),
  }));
  const wrong = lines.filter(({ typed, address }) => typed !== "" && address === null);
  const addresses = [...new Set(lines.flatMap(({ address }) => address ?? []))];
  return { addresses, error: errorOf(wrong, addresses.length) };
}

function errorOf(wrong: { typed: string; number: number }[], count: number): string | null {
  const [first, ...others] = wrong;
  if (first !== undefined && others.length === 0) {
    return `Line ${first.number} must be one email address: ${quoted(first.typed)}.`;
  }
  if (first !== undefined) {
    const named = wrong.slice(0, NAMED).map(({ number }) => number);
    const last = wrong.length > NAMED ? "others" : named.pop();
    return `Lines ${named.join(", ")} and ${last} must each be one email address.`;
  }
  return count > MAX_ALARM_ADDRESSES
    ? `The list has ${count} addresses. It can have up to ${MAX_ALARM_ADDRESSES}.`
    : null;
}
