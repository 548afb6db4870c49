import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formDigest } from "#demo/ccbill/digests.ts";
import { controlKeyOf } from "#demo/stand-in/control-access.ts";
import { btcpayDemo, ccbillDemo } from "#scripts/supervisor/demo-providers.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { submit } from "../support/billing/stand-in-site.ts";
import { startReceiver } from "../support/billing/webhook-receiver.ts";

const SITE = "http://localhost:3000";
/** Here, and to the demo's subscriber. */
const SOLD = 2;

describe("a demo's stand-in", () => {
  let folder: string;
  let site: Awaited<ReturnType<typeof startReceiver>>;
  let running: ChildProcess | null = null;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "peony-stand-in-"));
    site = await startReceiver();
  });
  afterEach(async () => {
    running?.kill("SIGKILL");
    await site.stop();
    await rm(folder, { recursive: true });
  });

  /** Starts the program of a demo with its settings. Resolves once it says where it is. */
  async function start(
    demo: ReturnType<typeof ccbillDemo>,
    port: number,
    appUrl = "",
  ): Promise<ChildProcess> {
    const flags = { ...demo.flags, port: String(port), "state-file": join(folder, "state.json") };
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const { PATH } = process.env;
    running = spawn(process.execPath, [await builtScript(demo.program), "--supervised", "--seed", ...args], {
      env: { NODE_ENV: "production" as const, PATH, ...demo.settings, APP_URL: appUrl },
      stdio: ["ignore", "pipe", "pipe"],
    });
    await Promise.race([once(running.stdout ?? running, "data"), once(running, "exit")]);
    return running;
  }

  async function savedState(): Promise<Record<string, object>> {
    return JSON.parse(await readFile(join(folder, "state.json"), "utf8"));
  }

  const webOrigin = () => new URL(site.url).origin;

  test("for CCBill sells with the settings of the site, and saves its state when it ends", async () => {
    const port = await findTestPort();
    const apiUrl = `http://127.0.0.1:${port}`;
    const demo = ccbillDemo({ apiUrl, siteOrigin: SITE, webOrigin: webOrigin() });
    const program = await start(demo, port);
    const { CCBILL_ACCOUNT = "", CCBILL_FLEX_ID, CCBILL_SALT = "", CCBILL_WEBHOOK_TOKEN } = demo.settings;
    const [clientAccnum = "", clientSubacc = ""] = CCBILL_ACCOUNT.split("-");
    const price = { initialPrice: "9.99", initialPeriod: "30", currencyCode: "840" };
    const link = new URLSearchParams({ clientAccnum, clientSubacc, ...price, peony_checkout: "c0ffee" });
    link.set("formDigest", formDigest(link, CCBILL_SALT));
    const sold = await submit(`${apiUrl}/wap-frontflex/flexforms/${CCBILL_FLEX_ID}?${link}`, {
      card: "4242",
    });
    expect(sold.headers.get("location")).toBe(`${SITE}/subscribe/return?checkout=c0ffee`);
    await expect
      .poll(() => site.calls.map(({ path }) => path))
      .toEqual(Array(SOLD).fill(`/api/billing/webhook/ccbill/${CCBILL_WEBHOOK_TOKEN}`));
    const control = await fetch(`${apiUrl}/?key=${controlKeyOf(demo.secretKey)}`, { redirect: "manual" });
    expect(control.status).toBe(303);
    program.kill("SIGTERM");
    expect((await once(program, "exit"))[0]).toBe(0);
    expect(Object.keys((await savedState()).subscriptions ?? {})).toHaveLength(SOLD);
  });

  test("for BTCPay Server takes orders with the settings of the site", async () => {
    const port = await findTestPort();
    const demo = btcpayDemo({ apiUrl: `http://127.0.0.1:${port}`, siteOrigin: SITE, webOrigin: webOrigin() });
    const program = await start(demo, port);
    const { BTCPAY_URL, BTCPAY_STORE_ID, BTCPAY_API_KEY } = demo.settings;
    const ordered = await fetch(`${BTCPAY_URL}/api/v1/stores/${BTCPAY_STORE_ID}/invoices`, {
      method: "POST",
      headers: { authorization: `token ${BTCPAY_API_KEY}` },
      body: JSON.stringify({ amount: "9.99", currency: "EUR" }),
    });
    expect(ordered.status).toBe(200);
    const types = () => site.calls.map(({ body }) => JSON.parse(body).type);
    await expect.poll(types).toEqual(expect.arrayContaining(["InvoiceSettled"]));
    expect(new Set(site.calls.map(({ path }) => path))).toEqual(new Set(["/api/billing/webhook/btcpay"]));
    program.kill("SIGTERM");
    expect((await once(program, "exit"))[0]).toBe(0);
    expect(Object.keys((await savedState()).invoices ?? {})).toHaveLength(SOLD);
  });

  test("does not start for a real site", async () => {
    const port = await findTestPort();
    const addresses = { apiUrl: `http://127.0.0.1:${port}`, siteOrigin: SITE, webOrigin: webOrigin() };
    for (const demo of [ccbillDemo(addresses), btcpayDemo(addresses)]) {
      const program = await start(demo, port, "https://peony.example");
      expect([demo.name, program.exitCode]).toEqual([demo.name, 1]);
    }
  });
});
