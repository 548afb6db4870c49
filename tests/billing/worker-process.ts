import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { config } from "#app/config.server.ts";
import { WEBHOOK_SECRET } from "./stand-in-site.ts";

/** The real worker in a process of its own, with the billing settings of this one. */
export function startWorker(): { process: ChildProcess; kill(): Promise<void> } {
  const { stripe } = config.billing;
  const { PATH, DATABASE_URL, DATA_DIR } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/worker.ts"], {
    stdio: "ignore",
    env: {
      PATH,
      NODE_ENV: "production",
      DATABASE_URL,
      DATA_DIR,
      LOG_LEVEL: "silent",
      SESSION_SECRET: config.session.secret,
      STRIPE_SECRET_KEY: stripe?.secretKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: stripe?.apiUrl,
    },
  });
  return {
    process: child,
    /** As a crash would. */
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
