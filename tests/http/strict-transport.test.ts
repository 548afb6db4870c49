import { afterEach, expect, test, vi } from "vitest";

const HOSTED = {
  APP_URL: "https://peony.example",
  CONTACT_EMAIL: "contact@peony.example",
  SESSION_SECRET: "b1946ac92492d2347c6235b4d2611184c5d2f9a5",
  SMTP_URL: "smtp://127.0.0.1:1",
};
afterEach(() => vi.unstubAllEnvs());

test.each([
  [{}, null],
  [HOSTED, "max-age=31536000"],
  [{ ...HOSTED, HSTS_SUBDOMAINS: "off" }, "max-age=31536000"],
  [{ ...HOSTED, HSTS_SUBDOMAINS: "on" }, "max-age=31536000; includeSubDomains"],
])("with %j, the header that demands https is %s", async (env, expected) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.resetModules();
  const { CONSTANT_HEADERS } = await import("#app/web/server/constant-headers.server.ts");
  const [, value = null] = CONSTANT_HEADERS.find(([name]) => name === "Strict-Transport-Security") ?? [];
  expect(value).toBe(expected);
});
