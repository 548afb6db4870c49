import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { clientOf } from "../support/billing/stand-in-site.ts";

describe("the state", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "peony-stand-in-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("begins with the demo's offer and its subscriber", async () => {
    const standIn = await startStripeStandIn({ seed: true, site: "peony" });
    const stripe = clientOf(standIn);
    expect(await stripe.prices.retrieve("price_demo_monthly")).toMatchObject({
      unit_amount: 1499,
      metadata: { trial_period_days: "7", site: "peony" },
    });
    expect(await stripe.subscriptions.retrieve("sub_demo", { expand: ["customer"] })).toMatchObject({
      status: "active",
      metadata: { site: "peony" },
      customer: { email: "subscriber@example.com" },
    });
    expect((await stripe.promotionCodes.list({ code: "PEONY20" })).data).toHaveLength(1);
    await standIn.stop();
  });

  test("is saved when the program ends, and a real site cannot start the program", async () => {
    const args = [await builtScript("stripe-stand-in"), "--state-file", join(folder, "s.json")];
    const { APP_URL: _, ...env } = process.env;
    const program = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    await once(program.stdout, "data");
    program.kill("SIGTERM");
    expect((await once(program, "exit"))[0]).toBe(0);
    const again = await startStripeStandIn({ stateFile: join(folder, "s.json") });
    expect((await clientOf(again).subscriptions.retrieve("sub_demo")).id).toBe("sub_demo");
    await again.stop();

    await expect(startStripeStandIn({ appUrl: "https://peony.example" })).rejects.toThrow("APP_URL");
    for (const secretKey of ["sk_live_x", "rk_live_x"]) {
      await expect(startStripeStandIn({ secretKey })).rejects.toThrow("test keys only");
    }
  });
});
