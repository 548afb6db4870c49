import { SingleBar } from "cli-progress";

/** A bar on a terminal; nothing in a file or pipe. */
export function progressBar() {
  const bar = process.stdout.isTTY
    ? new SingleBar({
        format: "{bar} {percentage}% {eta_formatted}",
        clearOnComplete: true,
        hideCursor: true,
      })
    : null;
  let isShown = false;
  return {
    /** In any unit; `done` may exceed an estimated total. */
    show({ done, total }: { done: number; total: number }) {
      const value = Math.min(done, total);
      if (isShown) bar?.update(value);
      else bar?.start(total, value);
      isShown = true;
    },
    close() {
      if (isShown) bar?.stop();
      isShown = false;
    },
  };
}
