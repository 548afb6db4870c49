/** Ends everything and then this process, once: what comes after the first call changes nothing. */
export type End = (reason?: { said: string; exitCode: number }) => void;

/** Ends on a signal, and when whoever started this process is gone. Signals that come meanwhile are taken as one. */
export function endOnSignal(stopAll: () => Promise<void>, hasStarter: boolean): End {
  let isEnding = false;
  const end: End = (reason) => {
    if (isEnding) return;
    isEnding = true;
    if (reason) console.error(reason.said);
    void stopAll().finally(() => process.exit(reason?.exitCode ?? 0));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => end());
  }
  // Whoever started this process is gone, however it ended.
  if (hasStarter && !process.connected) end();
  process.once("disconnect", () => end());
  return end;
}
