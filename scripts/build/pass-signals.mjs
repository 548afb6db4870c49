const ORPHAN_POLL_MS = 500;

/** npm's shell. Read at once, because it may be gone when slow work has ended. */
const shell = process.ppid;

/** Ends the child when this process is told to end, and this process with the child's status. */
export function endTogether(child) {
  const stop = () => child.kill("SIGTERM");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  if (process.env.npm_lifecycle_event) {
    // When npm is asked to stop, it ends the intermediate shell, and this process gets no signal.
    const watch = setInterval(() => process.ppid !== shell && stop(), ORPHAN_POLL_MS);
    watch.unref();
  }
  child.on("exit", (code) => process.exit(code ?? 1));
}
