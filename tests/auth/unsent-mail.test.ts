import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { endProcess } from "#tests/support/process/end-process.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { assertNoLeaks } from "../support/log-leaks.ts";
import { newestMail } from "../support/mails.ts";

const SAID = "We could not send the email yet.";

let isRefusing = true;
const arrived: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo(_address, _session, done) {
    if (isRefusing) done(Object.assign(new Error("No such mailbox"), { responseCode: 550 }));
    else done();
  },
  onData(stream, { envelope }, done) {
    stream.resume();
    stream.on("end", () => {
      arrived.push(...envelope.rcptTo.map(({ address }) => address));
      done();
    });
  },
});
// A client that resets its connection is no fault of the test.
smtp.on("error", () => {});
smtp.listen(0, "127.0.0.1");
await once(smtp.server, "listening");
const SMTP_URL = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
// The worker starts beside the site's first statement, which a busy machine then answers late.
const site = await startSite({ env: { SMTP_URL } });
const worker = startWorker();
afterAll(async () => {
  await Promise.all([site.stop(), endProcess(worker.process)]);
  await new Promise<void>((resolve) => smtp.close(resolve));
  await assertNoLeaks(worker.output(), { databaseUrl: process.env.DATABASE_URL });
});

test("the page that waits for an email says when it could not be sent", async () => {
  const jar = new Jar(site);
  await jar.post("/signin", { email: "Reader@example.com", next: "/" });
  const { code } = await newestMail("reader@example.com");
  const page = async () => (await jar.visit("/signin/code")).text();
  await expect.poll(page, { timeout: 60_000, interval: 300 }).toContain(SAID);
  const refused = await page();
  expect(refused).toMatch(/<a[^>]*href="\/signin">ask again<\/a>/);
  const id = /Error id: <code>([0-9a-f-]{36})<\/code>/.exec(refused.replaceAll("<!-- -->", ""))?.[1];
  expect(id).toBeDefined();
  await expect.poll(() => worker.output()).toContain(id);
  expect(worker.output().toLowerCase()).not.toContain("reader@example.com");

  // Other visitors do not see this message.
  const other = new Jar(site);
  await other.post("/signin", { email: "somebody@example.com", next: "/" });
  expect((await other.visit("/signin/code")).status).toBe(200);
  const stranger = new Jar(site);
  expect(await (await stranger.visit("/signin/code")).text()).not.toContain(SAID);

  isRefusing = false;
  await expect.poll(() => arrived, { timeout: 45_000 }).toContain("reader@example.com");
  await expect.poll(page).not.toContain(SAID);
  expect((await jar.post("/signin/code", { code })).status).toBe(303);
}, 150_000);

function startWorker(): { process: ChildProcess; output(): string } {
  const child = spawn(process.execPath, ["build/scripts/worker.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      DATABASE_URL: process.env.DATABASE_URL,
      DATA_DIR: config.dataDir,
      SMTP_URL,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { process: child, output: () => output };
}
