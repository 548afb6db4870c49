import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { config } from "#app/config.server.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { assertNoLeaks } from "../log-leaks.ts";
import { storeSettings } from "../store/start-store.ts";
import { WEBHOOK_SECRET } from "./stand-in-site.ts";

const worker = await builtScript("worker");

/** Starts the real worker in a separate process, with this process's billing settings and those given. */
export function startWorker(settings: Record<string, string> = {}): {
  process: ChildProcess;
  kill(): Promise<void>;
} {
  const { stripe } = config.billing;
  const { PATH, DATABASE_URL, DATA_DIR } = process.env;
  const child = spawn(process.execPath, [worker], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH,
      NODE_ENV: "production",
      DATABASE_URL,
      DATA_DIR,
      LOG_LEVEL: "info",
      SESSION_SECRET: config.session.secret,
      STRIPE_SECRET_KEY: stripe?.secretKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: stripe?.apiUrl,
      ...storeSettings(),
      ...settings,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return {
    process: child,
    /** Ends the worker as a crash would, and fails when its output holds something secret or personal. */
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
      }
      await assertNoLeaks(output, { databaseUrl: DATABASE_URL, secrets: [config.session.secret] });
    },
  };
}
