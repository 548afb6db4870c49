import { parseArgs } from "node:util";
import type { OpenOptions } from "#demo/stand-in/open.ts";

interface Given {
  options: OpenOptions;
  flags: Partial<Record<"site" | "webhook-url" | "approval-url" | "denial-url", string>> & { seed: boolean };
  /** Holds the keys. */
  env: NodeJS.ProcessEnv;
}

/** Runs a stand-in. With --supervised, only SIGTERM or the end of the parent process ends it. */
export async function runStandIn(
  provider: string,
  start: (given: Given) => Promise<{ origin: string; stop(): Promise<void> }>,
): Promise<void> {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string" },
        host: { type: "string" },
        supervised: { type: "boolean", default: false },
        seed: { type: "boolean", default: false },
        origin: { type: "string" },
        site: { type: "string" },
        "webhook-url": { type: "string" },
        "approval-url": { type: "string" },
        "denial-url": { type: "string" },
        "state-file": { type: "string" },
      },
    });
    const { port, host, origin, supervised, "state-file": stateFile, ...flags } = values;
    const options = {
      port: port === undefined ? undefined : Number(port),
      host,
      origin,
      stateFile,
      appUrl: process.env.APP_URL,
    };
    const standIn = await start({ options, flags, env: process.env });
    const stop = () => void standIn.stop().then(() => process.exit(0));
    process.on("SIGTERM", stop);
    // The parent process may have been killed while this one started.
    process.once("disconnect", stop);
    if (process.send && !process.connected) stop();
    // A terminal signals all processes at once, but the site needs the stand-in while it ends.
    for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, supervised ? () => {} : stop);
    console.log(`The stand-in for ${provider} is at ${standIn.origin}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
