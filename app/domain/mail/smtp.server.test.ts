import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isLoopbackHost } from "#app/config/addresses.ts";
import { config, parseConfig } from "#app/config.server.ts";
import { sendBySmtp } from "./smtp.server.ts";

const MAIL = {
  kind: "sign-in",
  to: "reader@example.com",
  subject: "s",
  html: "<p>h</p>",
  text: "a-sign-in-code",
};

const arrived: boolean[] = [];
const received: { sender: string; raw: string }[] = [];
const plain = serverThat(["STARTTLS"]);
const encrypting = serverThat([]);

beforeAll(() => Promise.all([listen(plain), listen(encrypting)]));
afterAll(() =>
  Promise.all([plain, encrypting].map((server) => new Promise<void>((resolve) => server.close(resolve)))),
);
beforeEach(() => {
  arrived.length = 0;
  received.length = 0;
});

/** 0.0.0.0 reaches this machine, but is not a loopback address. */
const byAddress = (server: SMTPServer, query = "") => `smtp://0.0.0.0:${portOf(server)}${query}`;

test("an email is sent to a server on this machine without encryption", async () => {
  for (const host of ["127.0.0.1", "localhost"]) await sendBySmtp(`smtp://${host}:${portOf(plain)}`, MAIL);
  expect(arrived).toEqual([false, false]);
});

test("no email is sent to a remote server without encryption, unless its address allows it", async () => {
  await expect(sendBySmtp(byAddress(plain), MAIL)).rejects.toMatchObject({ code: "ETLS" });
  expect(arrived).toEqual([]);
  await sendBySmtp(byAddress(plain, "?requireTLS=false"), MAIL);
  expect(arrived).toEqual([false]);
});

test("an email is sent to a remote server by STARTTLS, and only with a valid certificate", async () => {
  await expect(sendBySmtp(byAddress(encrypting), MAIL)).rejects.toThrow(/certificate/);
  expect(arrived).toEqual([]);
  await sendBySmtp(byAddress(encrypting, "?tls.rejectUnauthorized=false"), MAIL);
  expect(arrived).toEqual([true]);
});

test.each([
  ["hello@peony.example", ""],
  ["Peony, Inc. <hello@peony.example>", "Peony, Inc."],
  ['"Peony, Inc." <hello@peony.example>', "Peony, Inc."],
  ['Peony "Red" \\ Co. <hello@peony.example>', 'Peony "Red" \\ Co.'],
  ["Péony, 牡丹 🌸 <hello@peony.example>", "Péony, 牡丹 🌸"],
  [`${"Péony, ".repeat(20)}Inc. <hello@peony.example>`, `${"Péony, ".repeat(20)}Inc.`],
])("an email from %j arrives with that one sender", async (MAIL_FROM, name) => {
  const before = { ...config.mail };
  Object.assign(config.mail, parseConfig({ DATA_DIR: config.dataDir, MAIL_FROM }).mail);
  try {
    await sendBySmtp(`smtp://127.0.0.1:${portOf(plain)}`, MAIL);
  } finally {
    Object.assign(config.mail, before);
  }
  const [{ sender, raw } = { sender: "", raw: "" }] = received;
  expect(sender).toBe("hello@peony.example");
  expect(raw.match(/^(?:from|sender|reply-to):/gim)).toHaveLength(1);
  expect((await PostalMime.parse(raw)).from).toEqual({ name, address: "hello@peony.example" });
});

test.each([
  ["localhost", true],
  ["LOCALHOST", true],
  ["mail.localhost", true],
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["[::1]", true],
  ["0.0.0.0", false],
  ["10.0.0.5", false],
  ["mail.example", false],
  ["localhost.example", false],
  ["127.0.0.1.example", false],
  ["[fe80::1]", false],
])("whether the mail server %s is on this machine: %s", (host, isLoopback) => {
  expect(isLoopbackHost(new URL(`smtp://${host}:25`).hostname)).toBe(isLoopback);
});

function serverThat(disabledCommands: string[]): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        arrived.push(session.secure);
        const { mailFrom } = session.envelope;
        const sender = mailFrom === false ? "" : mailFrom.address;
        received.push({ sender, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
}

async function listen(server: SMTPServer): Promise<void> {
  server.on("error", () => {});
  server.listen(0, "0.0.0.0");
  await once(server.server, "listening");
}

function portOf(server: SMTPServer): number {
  return (server.server.address() as AddressInfo).port;
}
