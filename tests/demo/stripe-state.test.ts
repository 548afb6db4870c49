import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { clientOf, startReceiver, startShop, WEBHOOK_SECRET } from "../support/billing/stand-in-site.ts";

const DAY = 86_400;

describe("the state", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "peony-stand-in-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("survives a restart, with its clock, its keys and undelivered events", async () => {
    const receiver = await startReceiver();
    const stateFile = join(folder, "state.json");
    const webhook = { url: receiver.url, secret: WEBHOOK_SECRET };
    const first = await startShop({ stateFile, webhook, secretKey: "sk_test_kept" });
    const bought = await first.subscribe();
    await first.standIn.control.advance(10 * DAY);
    await first.standIn.control.idle();
    first.standIn.control.webhooks({ mode: "hold" });
    await first.stripe.customers.update(first.customer.id, { name: "Ada" }, { idempotencyKey: "kept" });
    const now = first.standIn.control.now();
    await first.standIn.stop();

    receiver.events.length = 0;
    const second = await startStripeStandIn({ stateFile, webhook, secretKey: "sk_test_kept" });
    const stripe = clientOf(second);
    expect(await stripe.subscriptions.retrieve(bought.id)).toMatchObject({ status: "active" });
    expect(second.control.now()).toBeGreaterThanOrEqual(now);
    const again = await stripe.customers.update(
      first.customer.id,
      { name: "Ada" },
      { idempotencyKey: "kept" },
    );
    expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
    await second.control.idle();
    expect(receiver.types()).toEqual(["customer.updated"]);
    await second.stop();
    await receiver.stop();
  });

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
