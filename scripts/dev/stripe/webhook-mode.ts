export interface WebhookMode {
  /** "drop" loses events for ever, as an outage of days would; "hold" keeps them for flush(). */
  mode?: "deliver" | "drop" | "hold";
  delayMs?: number;
  /** How many times each event is sent. */
  repeat?: number;
  shuffle?: boolean;
  /** 0 to 1: how many of the attempts carry a signature of somebody else. */
  badSignatureShare?: number;
  /** The first wait after an answer that is not 2xx; it doubles with each. */
  retryMs?: number;
}

export const USUAL_MODE: Required<WebhookMode> = {
  mode: "deliver",
  delayMs: 0,
  repeat: 1,
  shuffle: false,
  badSignatureShare: 0,
  retryMs: 500,
};

export function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
