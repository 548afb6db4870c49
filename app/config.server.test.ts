import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { isWithin } from "./config/addresses.ts";
import { ConfigError } from "./config/setting-problems.ts";
import { environment } from "./config/settings.ts";
import { parseConfig } from "./config.server.ts";

const SETTINGS = Object.keys(environment.shape);
const DATA_DIR = mkdtempSync(join(tmpdir(), "peony-config-"));
const HOSTED = {
  APP_URL: "https://peony.example",
  CONTACT_EMAIL: "contact@peony.example",
  SESSION_SECRET: "b1946ac92492d2347c6235b4d2611184c5d2f9a5",
  SMTP_URL: "smtp://mail.example",
};

function messageOf(env: Record<string, string>): string {
  try {
    parseConfig({ DATA_DIR, ...env });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return "";
}

describe("payments", () => {
  const STRIPE = { STRIPE_SECRET_KEY: "sk_test_abc" };
  const API = { STRIPE_API_URL: "http://127.0.0.1:4000" };

  it("are off without a key, and a key must look like one", () => {
    expect(parseConfig({ DATA_DIR }).billing.stripe).toBeNull();
    expect(parseConfig({ DATA_DIR, ...STRIPE }).billing.stripe).toEqual({
      secretKey: "sk_test_abc",
      webhookSecrets: [],
      apiUrl: undefined,
    });
    expect(messageOf({ STRIPE_SECRET_KEY: "pk_test_abc" })).toContain("STRIPE_SECRET_KEY");
  });

  it("accept signatures of one secret, or of two while one is replaced", () => {
    const secretsOf = (STRIPE_WEBHOOK_SECRET: string) =>
      parseConfig({ DATA_DIR, ...STRIPE, STRIPE_WEBHOOK_SECRET }).billing.stripe?.webhookSecrets;
    expect(secretsOf("whsec_new")).toEqual(["whsec_new"]);
    expect(secretsOf("whsec_new, whsec_old")).toEqual(["whsec_new", "whsec_old"]);
    for (const wrong of ["secret", "whsec_a,", "whsec_a,whsec_b,whsec_c", "whsec_a whsec_b"]) {
      expect(messageOf({ ...STRIPE, STRIPE_WEBHOOK_SECRET: wrong })).toContain("STRIPE_WEBHOOK_SECRET");
    }
  });

  it("are those of a stand-in in a demo, which no hosted site may name", () => {
    expect(parseConfig({ DATA_DIR }).billing.standIn).toBe("stripe");
    expect(parseConfig({ DATA_DIR, PAYMENTS: "ccbill" }).billing.standIn).toBe("ccbill");
    expect(messageOf({ PAYMENTS: "paypal" })).toContain("PAYMENTS: must be stripe, ccbill or btcpay");
    expect(messageOf({ ...HOSTED, PAYMENTS: "ccbill" })).toContain("PAYMENTS: is for the demo only");
  });

  it("have no days of grace and no tax by default", () => {
    expect(parseConfig({ DATA_DIR }).billing).toMatchObject({ graceDays: 0, hasTax: false, statement: null });
    const said = { BILLING_GRACE_DAYS: "3", BILLING_TAX: "on", BILLING_STATEMENT: "PEONY.EXAMPLE" };
    expect(parseConfig({ DATA_DIR, ...said }).billing).toMatchObject({
      graceDays: 3,
      hasTax: true,
      statement: "PEONY.EXAMPLE",
    });
    expect(messageOf({ BILLING_GRACE_DAYS: "-1" })).toContain("BILLING_GRACE_DAYS");
    expect(messageOf({ BILLING_STATEMENT: "x".repeat(23) })).toContain("BILLING_STATEMENT");
  });

  it("go to Stripe itself with a live key, and on a hosted site", () => {
    expect(messageOf({ ...STRIPE, ...API })).toBe("");
    for (const key of ["sk_live_abc", "rk_live_abc"]) {
      expect(messageOf({ STRIPE_SECRET_KEY: key, ...API })).toContain(
        "STRIPE_API_URL: cannot be used with a live key",
      );
    }
    expect(messageOf({ ...HOSTED, ...STRIPE, ...API })).toContain("STRIPE_API_URL: is for the demo only");
    expect(
      parseConfig({ DATA_DIR, ...HOSTED, STRIPE_SECRET_KEY: "sk_live_abc" }).billing.stripe,
    ).not.toBeNull();
  });
});

describe("payments by BTCPay Server", () => {
  const BTCPAY = {
    BTCPAY_URL: "https://pay.peony.example/shop/",
    BTCPAY_STORE_ID: "2KxSpc9V5zDWfUbvgYiZuAfka4wUhGF96F75Ao8y4zHP",
    BTCPAY_API_KEY: "0123456789abcdef0123456789abcdef01234567",
    BTCPAY_WEBHOOK_SECRET: "4EzoCbo4n6tYvFpGqRXw",
  };

  it("need all of their settings, and each that is wrong is named", () => {
    expect(parseConfig({ DATA_DIR }).billing.btcpay).toBeNull();
    expect(parseConfig({ DATA_DIR, ...HOSTED, ...BTCPAY }).billing.btcpay).toEqual({
      url: "https://pay.peony.example/shop",
      storeId: BTCPAY.BTCPAY_STORE_ID,
      apiKey: BTCPAY.BTCPAY_API_KEY,
      webhookSecret: BTCPAY.BTCPAY_WEBHOOK_SECRET,
    });
    for (const name of Object.keys(BTCPAY)) {
      expect(messageOf({ ...BTCPAY, [name]: "" })).toBe(
        `Configuration: ${name}: is required with the other settings of BTCPay Server`,
      );
    }
    const wrong = {
      BTCPAY_URL: "pay.peony.example",
      BTCPAY_STORE_ID: "my store",
      BTCPAY_API_KEY: "short",
      BTCPAY_WEBHOOK_SECRET: "short",
      BILLING_TAX: "on",
    };
    const lines = messageOf({ ...BTCPAY, ...wrong }).split("\n");
    expect(lines.map((line) => /^Configuration: (\w+): \w/.exec(line)?.[1]).toSorted()).toEqual(
      Object.keys(wrong).toSorted(),
    );
  });

  it("go over https on a hosted site", () => {
    const local = { ...BTCPAY, BTCPAY_URL: "http://127.0.0.1:23000" };
    expect(messageOf(local)).toBe("");
    expect(messageOf({ ...HOSTED, ...local })).toContain("BTCPAY_URL: must begin with https://");
  });
});

describe("payments by CCBill", () => {
  const CCBILL = {
    CCBILL_ACCOUNT: "900100-0007",
    CCBILL_FLEX_ID: "d7d6d9a5-0000-4000-8000-000000000001",
    CCBILL_SALT: "7d901dad245fd0ff6bc20d06",
    CCBILL_DATALINK_USER: "peony",
    CCBILL_DATALINK_PASSWORD: "secret",
    CCBILL_WEBHOOK_TOKEN: "t".repeat(32),
  };

  it("are off without settings, and accept events from CCBill's own addresses", () => {
    expect(parseConfig({ DATA_DIR }).billing.ccbill).toBeNull();
    const { ccbill } = parseConfig({ DATA_DIR, ...HOSTED, ...CCBILL }).billing;
    expect(ccbill).toMatchObject({ clientAccnum: "900100", clientSubacc: "0007", apiUrl: undefined });
    const from = (address: string) => isWithin(ccbill?.webhookRanges ?? [], address);
    const addresses = ["64.38.212.1", "64.38.215.254", "64.38.240.9", "64.38.241.9", "64.38.213.1"];
    expect(addresses.map(from)).toEqual([true, true, true, true, false]);
  });

  it("need all of their settings, and each that is wrong is named", () => {
    for (const name of Object.keys(CCBILL)) {
      expect(messageOf({ ...CCBILL, [name]: "" })).toBe(
        `Configuration: ${name}: is required with the other settings of CCBill`,
      );
    }
    const wrong = {
      CCBILL_ACCOUNT: "900100",
      CCBILL_FLEX_ID: "003ff",
      CCBILL_SALT: "no salt",
      CCBILL_WEBHOOK_TOKEN: "short",
      CCBILL_WEBHOOK_RANGES: "64.38.212.1-254",
      CCBILL_API_URL: "somewhere",
      BILLING_TAX: "on",
    };
    const lines = messageOf({ ...CCBILL, ...wrong }).split("\n");
    expect(lines.map((line) => /^Configuration: (\w+): \w/.exec(line)?.[1]).toSorted()).toEqual(
      Object.keys(wrong).toSorted(),
    );
  });

  it("need the name of the provider that sells beside another one", () => {
    const both = { ...CCBILL, STRIPE_SECRET_KEY: "sk_test_ofthetest" };
    expect(messageOf(both)).toBe(
      "Configuration: BILLING_PROVIDER: is required with several payment providers, to say which one sells: ccbill or stripe",
    );
    for (const seller of ["ccbill", "stripe"]) {
      expect(parseConfig({ DATA_DIR, ...both, BILLING_PROVIDER: seller }).billing.seller).toBe(seller);
    }
    expect(parseConfig({ DATA_DIR, ...CCBILL }).billing.seller).toBeNull();
    expect(messageOf({ ...CCBILL, BILLING_PROVIDER: "stripe" })).toBe(
      "Configuration: BILLING_PROVIDER: names a payment provider that is not set up: STRIPE_SECRET_KEY is missing",
    );
    expect(messageOf({ BILLING_PROVIDER: "paypal" })).toBe(
      "Configuration: BILLING_PROVIDER: must be btcpay, ccbill or stripe",
    );
    expect(messageOf({ ...both, BILLING_PROVIDER: "stripe", BILLING_TAX: "on" })).toBe("");
  });

  it("go to CCBill itself on a hosted site, and no event may come from its own machine", () => {
    const demo = { CCBILL_API_URL: "http://127.0.0.1:4000", CCBILL_WEBHOOK_RANGES: "127.0.0.1/32" };
    expect(messageOf({ ...CCBILL, ...demo })).toBe("");
    expect(messageOf({ ...HOSTED, ...CCBILL, CCBILL_API_URL: demo.CCBILL_API_URL })).toContain(
      "CCBILL_API_URL: is for the demo only",
    );
    for (const range of [
      "127.0.0.1",
      "127.8.0.0/16",
      "0.0.0.0/0",
      "::1",
      "::/0",
      "64.38.212.0/24, 127.0.0.0/8",
    ]) {
      expect(messageOf({ ...HOSTED, ...CCBILL, CCBILL_WEBHOOK_RANGES: range })).toContain(
        "CCBILL_WEBHOOK_RANGES: must not contain this machine",
      );
    }
  });
});

describe("the demo", () => {
  it("is on when APP_URL is missing or empty", () => {
    for (const env of [{}, { APP_URL: "" }, { NODE_ENV: "production" }]) {
      const { isDemo, origin, web } = parseConfig({ DATA_DIR, ...env });
      expect({ isDemo, origin, isSecure: web.isSecure }).toEqual({
        isDemo: true,
        origin: "http://localhost:3000",
        isSecure: false,
      });
    }
  });

  it("is off with an APP_URL, and no other setting turns it or its plain cookies on", () => {
    const name = fc.oneof(
      fc.constantFrom("DEMO", "IS_DEMO", "DEMO_MODE", "PEONY_DEMO", "OUTBOX", "SECURE", "NODE_ENV", "isDemo"),
      fc.stringMatching(/^[A-Z_]{1,12}$/),
    );
    const value = fc.constantFrom("1", "true", "on", "yes", "development", "");
    fc.assert(
      fc.property(fc.dictionary(name, value), (extra) => {
        const { isDemo, web, origin } = parseConfig({ DATA_DIR, ...extra, ...HOSTED });
        expect([isDemo, web.isSecure, origin]).toEqual([false, true, HOSTED.APP_URL]);
      }),
    );
  });

  it("names every setting that a hosted site misses, or that is wrong, once", () => {
    const namesIn = (env: Record<string, string>) =>
      messageOf(env)
        .split("\n")
        .map((line) => /^Configuration: (\w+): \w/.exec(line)?.[1]);
    expect(namesIn({ APP_URL: HOSTED.APP_URL })).toEqual(["CONTACT_EMAIL", "SESSION_SECRET", "SMTP_URL"]);
    const wrong = { PORT: "0", DATABASE_URL: "nowhere", CONTACT_EMAIL: "nobody", LOG_LEVEL: "loud" };
    expect(namesIn(wrong).toSorted()).toEqual(Object.keys(wrong).toSorted());
    const both = { APP_URL: HOSTED.APP_URL, PORT: "0", SMTP_URL: "mail.example" };
    expect(namesIn(both).toSorted()).toEqual(["CONTACT_EMAIL", "PORT", "SESSION_SECRET", "SMTP_URL"]);
  });

  it("has an outbox page until a mail server is named", () => {
    expect(parseConfig({ DATA_DIR }).mail.hasOutbox).toBe(true);
    expect(parseConfig({ DATA_DIR, SMTP_URL: HOSTED.SMTP_URL }).mail.hasOutbox).toBe(false);
    expect(parseConfig({ DATA_DIR, ...HOSTED }).mail.hasOutbox).toBe(false);
  });

  it("sends emails in the site's name", () => {
    const { mail } = parseConfig({ DATA_DIR, ...HOSTED, SITE_NAME: "Lantern & Co." });
    expect(mail.from).toEqual({ name: "Lantern & Co.", address: "no-reply@peony.example" });
  });

  it.each([
    ["\u00a0kontakt@Bücher.example\u200b", "kontakt@xn--bcher-kva.example"],
    ["Info@президент.рф", "Info@xn--d1abbgf6aiiy.xn--p1ai"],
    ["\ufeffcontact@peony.example", "contact@peony.example"],
  ])("takes %j as the address that mail servers know", (typed, address) => {
    const given = { DATA_DIR, ...HOSTED, CONTACT_EMAIL: typed };
    expect(parseConfig(given).contactEmail).toBe(address);
    expect(parseConfig({ ...given, MAIL_FROM: typed }).mail.from).toEqual({ name: "", address });
    const named = parseConfig({ ...given, MAIL_FROM: `Bücher <${typed}>` });
    expect(named.mail.from).toEqual({ name: "Bücher", address });
  });

  it.each([
    ["of a hosted site", { ...HOSTED, CONTACT_EMAIL: "" }, ""],
    ["of the demo", {}, "contact@example.com"],
    ["that somebody chose", HOSTED, HOSTED.CONTACT_EMAIL],
  ])("keeps the owner's address apart from the contact address %s", (_, env, contact) => {
    const { contactEmail, ownerEmail } = parseConfig({ DATA_DIR, ...env, OWNER_EMAIL: "me@home.example" });
    expect({ contactEmail, ownerEmail }).toEqual({ contactEmail: contact, ownerEmail: "me@home.example" });
  });

  it("signs with the first of two secrets and accepts the other", () => {
    const [first, second] = [HOSTED.SESSION_SECRET, HOSTED.SESSION_SECRET.toUpperCase()];
    const sessionOf = (SESSION_SECRET: string) =>
      parseConfig({ DATA_DIR, ...HOSTED, SESSION_SECRET }).session;
    expect(sessionOf(first)).toEqual({ secret: first, oldSecret: null });
    expect(sessionOf(`${first}, ${second}`)).toEqual({ secret: first, oldSecret: second });
  });

  it("keeps its secret between starts", () => {
    const first = parseConfig({ DATA_DIR }).session.secret;
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(parseConfig({ DATA_DIR }).session.secret).toBe(first);
  });
});

describe("trusted proxies", () => {
  it.each([
    ["", 0],
    ["2", 2],
    ["127.0.0.1", ["127.0.0.1"]],
    ["10.0.0.0/8, ::1,fd00::/8", ["10.0.0.0/8", "::1", "fd00::/8"]],
  ])("%j is a number of proxies or a list of their addresses", (TRUST_PROXY, expected) => {
    expect(parseConfig({ DATA_DIR, TRUST_PROXY }).web.trustedProxies).toEqual(expected);
  });
});

describe("a wrong setting", () => {
  it.each([
    ["APP_URL", "peony.example"],
    ["APP_URL", "http://peony.example"],
    ["APP_URL", "ftp://peony.example"],
    ["SITE_NAME", "n".repeat(61)],
    ["CONTACT_EMAIL", "contact at peony"],
    ["CONTACT_EMAIL", "Peony <contact@peony.example>"],
    ["PORT", "0"],
    ["PORT", "eighty"],
    ["WEB_PROCESSES", "65"],
    ["TRUST_PROXY", "-1"],
    ["TRUST_PROXY", "true"],
    ["TRUST_PROXY", "6"],
    ["TRUST_PROXY", "10.0.0.0/33"],
    ["TRUST_PROXY", "10.0.0.1, proxy.example"],
    ["TRUST_PROXY", "10.0.0.1,"],
    ["SESSION_SECRET", "hunter2-hunter2"],
    ["SESSION_SECRET", `${HOSTED.SESSION_SECRET},hunter2`],
    ["SESSION_SECRET", `${HOSTED.SESSION_SECRET},${HOSTED.SESSION_SECRET}`],
    ["DATABASE_URL", "mysql://root:hunter2@db"],
    ["DATABASE_URL", "postgres:hunter2"],
    ["SMTP_URL", "smtp:user:hunter2@mail"],
    ["DATABASE_POOL", "-7"],
    ["DATABASE_TIMEOUT_MS", "50"],
    ["SMTP_URL", "https://user:hunter2@mail"],
    ["MAIL_FROM", "hello"],
    ["MAIL_FROM", "Peony <hello>"],
    ["MAIL_FROM", "Peony <hello@peony.example"],
    ["MAIL_FROM", "hello@peony.example>"],
    ["MAIL_FROM", "Peony, Inc."],
    ["MAIL_FROM", "<>"],
    ["MAIL_FROM", "hello@peony.example, shop@peony.example"],
    ["MAIL_FROM", "hello@peony.example,shop"],
    ["MAIL_FROM", "hello@peony.example;shop@peony.example"],
    ["MAIL_FROM", "Peony <hello@peony.example>, Shop <shop@peony.example>"],
    ["MAIL_FROM", "hello@peony.example, Shop <shop@peony.example>"],
    ["MAIL_FROM", "Peony <hello@peony.example, shop@peony.example>"],
    ["MAIL_FROM", "Peony\r\nBcc: all <hello@peony.example>"],
    ["MAIL_FROM", "Büro <büro@peony.example>"],
    ["LOG_LEVEL", "loud"],
  ])("is reported in one line that names %s and does not repeat %s", (name, value) => {
    const message = messageOf({ ...HOSTED, [name]: value });
    expect(message).toMatch(new RegExp(`^Configuration: ${name}: \\S.*$`));
    expect(message).not.toContain(value);
    expect(message).not.toContain("hunter2");
  });

  it.each([
    ["hello@peony.example", ""],
    ["<hello@peony.example>", ""],
    ["Peony <hello@peony.example>", "Peony"],
    ["Peony, Inc. <hello@peony.example>", "Peony, Inc."],
    ['"Peony, Inc." <hello@peony.example>', "Peony, Inc."],
    ['"Peony \\"Red\\"" <hello@peony.example>', 'Peony "Red"'],
    ['Peony "Red" <hello@peony.example>', 'Peony "Red"'],
    ["Péony 🌸 <hello@peony.example>", "Péony 🌸"],
    ["Peony @ Night <hello@peony.example>", "Peony @ Night"],
  ])("is not the sender %s", (MAIL_FROM, name) => {
    const { mail } = parseConfig({ ...HOSTED, DATA_DIR, MAIL_FROM });
    expect(mail.from).toEqual({ name, address: "hello@peony.example" });
  });

  it.each(["CONTACT_EMAIL", "SESSION_SECRET", "SMTP_URL"])("is a missing %s when APP_URL is set", (name) => {
    expect(messageOf({ ...HOSTED, [name]: "" })).toMatch(new RegExp(`^Configuration: ${name}: is required`));
  });

  it("is reported in one line without a secret, whatever the values are", () => {
    const secret = fc.string({ minLength: 12 }).filter((text) => text.trim().length > 8);
    fc.assert(
      fc.property(
        fc.constantFrom("SESSION_SECRET", "DATABASE_URL", "SMTP_URL", "APP_URL"),
        secret,
        (name, value) => {
          const message = messageOf({ ...HOSTED, [name]: value });
          expect(message).not.toContain("\n");
          expect(message).not.toContain(value);
        },
      ),
    );
  });
});

describe("the time zone", () => {
  it("is the name of one, and never an offset, whose sign PostgreSQL reads the other way round", () => {
    for (const TIME_ZONE of ["UTC", "Europe/Berlin", "Etc/GMT+2"]) {
      expect(parseConfig({ DATA_DIR, TIME_ZONE }).timeZone).toBe(TIME_ZONE);
    }
    for (const TIME_ZONE of ["+02:00", "-05", "Nowhere/Never", "UTC+2"]) {
      expect(messageOf({ TIME_ZONE })).toContain("TIME_ZONE");
    }
  });
});

describe("the example settings", () => {
  it(".env.example lists the settings in the order in which they are read", async () => {
    const example = await readFile(".env.example", "utf8");
    expect([...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name)).toEqual(SETTINGS);
  });

  it("the values in .env.example are the defaults", async () => {
    const example = await readFile(".env.example", "utf8");
    const given = Object.fromEntries(
      [...example.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(parseConfig({ ...given, DATA_DIR })).toEqual(parseConfig({ DATA_DIR }));
  });
});
