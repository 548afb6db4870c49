const BEAT_MS = 1_000;
const BEAT = "beat";

/** Tells the parent process that the event loop still turns. */
export function sendBeats(): void {
  // Without a callback, a message to a parent that just died would end this process.
  const beat = () => process.send?.(BEAT, undefined, undefined, () => {});
  beat();
  setInterval(beat, BEAT_MS).unref();
}

export function isBeat(message: unknown): boolean {
  return message === BEAT;
}
