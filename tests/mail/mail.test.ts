import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestSignIn } from "#app/domain/auth/sign-in.server.ts";
import { db } from "#db/client.server.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { assertNoLeaks } from "../support/log-leaks.ts";

interface Arrived {
  recipients: string[];
  raw: string;
}

const arrived: Arrived[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      arrived.push({ recipients, raw: Buffer.concat(chunks).toString() });
      done();
    });
  },
});
// A client that resets its connection is no fault of the test.
smtp.on("error", () => {});
const SAID = [
  "Peony Someone asked to sign in with this email address, using Firefox on Linux. If it was you, follow the link:",
  "Sign in http://localhost:3000/signin/verify?token=abc",
  "Or type this code on the page where you asked for this email: CODE",
  "The link and the code can each be used once, within 30 minutes. If it was not you, ignore this email. Nobody can sign in without it.",
  "Questions? Write to contact@example.com",
].join(" ");
const HEADERS = [
  "auto-submitted",
  "content-type",
  "date",
  "from",
  "message-id",
  "mime-version",
  "subject",
  "to",
];

let worker: ChildProcess;
let output = "";
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "peony-worker-"));
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  const { port } = smtp.server.address() as AddressInfo;
  worker = spawn(process.execPath, [await builtScript("worker")], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      DATABASE_URL: process.env.DATABASE_URL,
      DATA_DIR: dataDir,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
    },
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
});

afterAll(async () => {
  if (worker.exitCode === null) worker.kill("SIGKILL");
  await new Promise<void>((resolve) => smtp.close(resolve));
  await rm(dataDir, { recursive: true, force: true });
  expect(output).toContain("Worker connected");
  await assertNoLeaks(output, { databaseUrl: process.env.DATABASE_URL, secrets: ["reader@example.com"] });
});

test("a sign-in email reaches one reader by SMTP, reveals nothing about the content and is emptied after sending", async () => {
  await requestSignIn({
    email: "reader@example.com",
    nonce: "nonce",
    link: "http://localhost:3000/signin/verify?token=abc",
    next: "/content/video/silk-and-smoke?tag=lace",
    browserHash: "hash",
    device: "Firefox on Linux",
    network: null,
  });
  // The worker is compiled while it starts.
  await expect.poll(() => arrived.length, { timeout: 60_000 }).toBe(1);
  const [{ recipients, raw } = { recipients: [], raw: "" }] = arrived;
  const mail = await PostalMime.parse(raw);
  expect(recipients).toEqual(["reader@example.com"]);
  expect(mail.subject).toBe("Your sign-in link for Peony");
  expect(mail.text).toContain("http://localhost:3000/signin/verify?token=abc");
  expect(mail.html).toContain("http://localhost:3000/signin/verify?token=abc");
  const code = /^[0-9A-Z]{8}$/m.exec(mail.text ?? "")?.[0] ?? "no code";
  const words = wordsOf(mail.text ?? "");
  // The mail says exactly this, and nothing about the site's content or the reader's destination.
  expect(words.replace(code, "CODE")).toBe(SAID);
  expect(
    wordsOf(
      (mail.html ?? "").replaceAll(/<!--.*?-->/g, "").replace(/<(head|style)[\s\S]*?<\/\1>|<[^>]+>/g, " "),
    ).replace(code, "CODE"),
  ).toBe(SAID.replace(" http://localhost:3000/signin/verify?token=abc", ""));
  const addresses = [...(mail.html ?? "").matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses).toEqual(["http://localhost:3000/signin/verify?token=abc", "mailto:contact@example.com"]);
  expect(mail.headers.map(({ key }) => key).sort()).toEqual(HEADERS);
  await expect.poll(async () => (await db.query.mailOutbox.findFirst())?.sentAt ?? null).not.toBeNull();
  expect(await db.query.mailOutbox.findFirst()).toMatchObject({ html: "", text: "" });
}, 90_000);

test("the worker ends within ten seconds of SIGTERM, without an error", async () => {
  const requestedAt = Date.now();
  worker.kill("SIGTERM");
  const [code] = await once(worker, "exit");
  expect(code).toBe(0);
  expect(Date.now() - requestedAt).toBeLessThan(10_000);
});

function wordsOf(text: string): string {
  return text.replaceAll("&nbsp;", " ").replace(/\s+/g, " ").trim();
}
