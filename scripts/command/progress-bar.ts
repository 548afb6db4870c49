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
  let shownTotal: number | null = null;
  const close = () => {
    if (shownTotal !== null) bar?.stop();
    shownTotal = null;
  };
  return {
    /** In any unit; `done` may exceed an estimated total. Another total starts the bar again. */
    show({ done, total }: { done: number; total: number }) {
      const value = Math.min(done, total);
      if (total === shownTotal) return bar?.update(value);
      close();
      bar?.start(total, value);
      shownTotal = total;
    },
    close,
  };
}
