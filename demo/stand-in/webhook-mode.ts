export interface WebhookMode {
  /** "drop" loses events permanently, as an outage of days would; "hold" keeps them for flush(). */
  mode?: "deliver" | "drop" | "hold";
  delayMs?: number;
  /** The number of times each event is sent. */
  repeat?: number;
  shuffle?: boolean;
  /** The share of attempts with a wrong signature or from a foreign address, from 0 to 1. */
  forgedShare?: number;
  /** The delay after the first response other than 2xx; it doubles with each retry. */
  retryMs?: number;
}

export const USUAL_MODE: Required<WebhookMode> = {
  mode: "deliver",
  delayMs: 0,
  repeat: 1,
  shuffle: false,
  forgedShare: 0,
  retryMs: 500,
};

export function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, index: random() }))
    .sort((one, other) => one.index - other.index)
    .map(({ item }) => item);
}
