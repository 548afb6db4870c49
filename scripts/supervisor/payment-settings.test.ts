import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findPaymentSettings, storePaymentSettings } from "./payment-settings.ts";

const dir = mkdtempSync(join(tmpdir(), "settings-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const settingsOf = (port: number) => ({
  STRIPE_SECRET_KEY: "sk_test_of_the_demo",
  STRIPE_WEBHOOK_SECRET: "whsec_of_the_demo",
  STRIPE_API_URL: `http://127.0.0.1:${port}`,
});

test("a reader of the demo's settings during a rewrite gets a complete version, no other user may read them, and a provider of its own wins", () => {
  expect(findPaymentSettings(dir, {})).toEqual({});
  storePaymentSettings(dir, settingsOf(1));
  const [file = "", ...others] = readdirSync(dir);
  expect(others).toEqual([]);
  const reader = openSync(join(dir, file), "r");
  storePaymentSettings(dir, settingsOf(20_000));
  expect(JSON.parse(readFileSync(reader, "utf8"))).toEqual(settingsOf(1));
  expect(findPaymentSettings(dir, {})).toEqual(settingsOf(20_000));
  expect(findPaymentSettings(dir, { CCBILL_ACCOUNT: "900100-0000" })).toEqual({});
  expect(readdirSync(dir)).toEqual([file]);
  expect(statSync(join(dir, file)).mode & 0o077).toBe(0);
});
