import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, users } from "#db/schema/auth.ts";
import { siteSettings } from "#db/schema/site.ts";
import { findFreePort } from "#db/server/free-port.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { builtScript } from "#tests/support/process/built-script.ts";
import { type ChaosProxy, startChaosProxy } from "../support/chaos-proxy.ts";
import { Jar } from "../support/cookie-jar.ts";
import { dataPath } from "../support/crawl.ts";
import { newestMail } from "../support/mails.ts";
import { createCreator, createVideo } from "../support/media.ts";
import { createMember, subscribe } from "../support/people.ts";
import { endProcess, type Site } from "../support/site.ts";

const STARTS_WITHIN_MS = 90_000;
const JOBS_WITHIN_MS = 60_000;

/** Every secret and all personal data that this test plants, by name. */
const planted = new Map<string, string>();
const word = (name: string) => plant(name, `zq${randomBytes(6).toString("hex")}`);
const mail = (name: string) => plant(name, `zq${randomBytes(6).toString("hex")}@example.com`);

const memberMail = mail("a member's address");
const unknownMail = mail("an unknown address");
const refusedMail = mail("an address that is refused");
const fullName = word("a member's name");
const street = word("a street");
const title = word("a title");
const creatorName = word("a creator");
const description = word("a description");
const search = word("a search");
const searchInOutage = word("a search without the database");
const longSearch = word("a long search");
const wrongCode = plant("a wrong code", "ZQ7K4M2X");
const wrongToken = word("a wrong token");
const signature = word("the signature of a link");
const sessionCookie = word("a session that is none");
const otherCookie = word("a cookie of others");
const userAgent = word("a browser");
const referrer = word("a referrer");
const authorization = word("an authorization");
const forwarded = plant("an address of a visitor", "203.0.113.197");
const card = plant("a card number", "4242424242424242");
const webhookSecret = plant("a webhook secret", `whsec_zq${randomBytes(12).toString("hex")}`);
const stripeKey = plant("a key of the provider", `sk_test_zq${randomBytes(12).toString("hex")}`);
const sessionSecret = plant("the session secret", config.session.secret);
const smtpPassword = word("the mail server's password");
const payload = word("an event's payload");
const badSignature = word("an event's signature");
const missingPage = word("a page that is not there");
const dataParameter = word("the former data parameter");
const pictureName = word("a picture's name");
const fileName = word("a file to import");
const badHost = word("a host");
const badHeader = word("a header that is none");
const badMethod = word("a path with a strange method");
const formField = word("a field that no form has");

const smtp = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  authOptional: true,
  onAuth: (_auth, _session, done) => done(null, { user: "site" }),
  onRcptTo({ address }, _session, done) {
    done(Object.assign(new Error(`No mailbox ${address}, says ${smtpPassword}`), { responseCode: 550 }));
  },
});
// A site that ends in the middle of a mail resets the connection.
smtp.on("error", () => {});
smtp.listen(0, "127.0.0.1");
await once(smtp.server, "listening");
const smtpPort = (smtp.server.address() as AddressInfo).port;

/** A host's site has its own address, behind a proxy, and calls the real payment provider, which it cannot reach here. */
const HOSTED = {
  APP_URL: "https://peony.example",
  CONTACT_EMAIL: "contact@peony.example",
  TRUST_PROXY: "1",
  STRIPE_API_URL: "",
  NODE_OPTIONS: `--import ${new URL("../support/process/no-outside.mjs", import.meta.url).href}`,
};

let site: Site;
let port: number;
let proxy: ChaosProxy;
let output = "";
let folder: string;
let videoSlug: string;

beforeAll(async () => {
  await buildWhenStale();
  folder = await mkdtemp(join(tmpdir(), "peony-canaries-"));
  proxy = await startChaosProxy(config.database.url ?? "");
  plant("the database's password", new URL(proxy.url).password);
  const { id } = await createCreator({ name: creatorName });
  const video = await createVideo({ title, description, access: "free", creators: [id], withFiles: true });
  videoSlug = plant("the address of a video", video.slug);
}, STARTS_WITHIN_MS);
afterEach(() => site.stop());
afterAll(async () => {
  await proxy.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ["a demo", {}],
  ["a hosted site", HOSTED],
])(
  "no line that %s writes contains anything secret or personal",
  async (_, env) => {
    await startRealSite(env);
    const jar = await signIn();
    await browse(jar);
    await writeForms(jar);
    await sendEvents();
    await sendMalformed();
    await failInside(jar);
    await loseDatabase(jar);
    await importFile();
    await untilJobsFailed();
    expect(planted.size).toBeGreaterThanOrEqual(30);
    // The faults must have left log lines, or the search below would prove nothing.
    for (const proof of [
      '"msg":"request"',
      "request failed",
      "the database is away",
      "billing event refused",
    ]) {
      expect(output).toContain(proof);
    }
    expect(found(output), "in the output of the site").toEqual([]);
    expect(found(await storedErrors()), "in what the queue and the mails keep of errors").toEqual([]);
    expect(output).toMatch(/"path":"\/content\/video\/\$slug"/);
    expect(output).toContain("job failed");
  },
  300_000,
);

test(
  "one request makes one machine-readable line",
  async () => {
    await startRealSite({});
    const marks = ["\n", "\r\n{", "\u001b[31m", "\u0085", "\u2028", '"}\n{"level":30', "\0"];
    const before = requestLines().length;
    for (const mark of marks) {
      await site.fetch(`/nowhere${encodeURIComponent(mark)}?q=${encodeURIComponent(mark)}`);
      await site.fetch(`/content/video?q=x`, {
        headers: { "user-agent": encodeURIComponent(mark), referer: mark.replace(/[^ -~]/g, "") },
      });
    }
    await expect.poll(() => requestLines().length).toBe(before + 2 * marks.length);
    for (const line of requestLines().slice(before)) {
      expect(JSON.parse(line)).toEqual(expect.objectContaining({ msg: "request", method: "GET" }));
      expect(line).toMatch(/^[\x20-\x7e]+$/);
    }
  },
  STARTS_WITHIN_MS + 30_000,
);

test("the built-in database writes no log", async () => {
  const [row] = await db.execute<{ logging_collector: string }>(sql`SHOW logging_collector`);
  expect(row?.logging_collector).toBe("off");
});

function plant(name: string, value: string): string {
  planted.set(name, value);
  return value;
}

/** Starts supervisor, web processes and worker as npm start does, after deleting an earlier site's data. */
async function startRealSite(env: Partial<typeof HOSTED>): Promise<void> {
  port = await findFreePort();
  output = "";
  await rm(join(config.dataDir, "real-site"), { force: true });
  await Promise.all([db.delete(siteSettings), db.delete(users), db.delete(rateLimits)]);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
  const child: ChildProcess = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: String(port),
      WEB_PROCESSES: "2",
      LOG_LEVEL: "debug",
      DATABASE_URL: proxy.url,
      DATABASE_TIMEOUT_MS: "30000",
      DATA_DIR: config.dataDir,
      SESSION_SECRET: sessionSecret,
      SMTP_URL: `smtp://site:${smtpPassword}@127.0.0.1:${smtpPort}`,
      STRIPE_SECRET_KEY: stripeKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: "http://127.0.0.1:1",
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const address = `http://127.0.0.1:${port}`;
  const origin = env.APP_URL ?? address;
  const common = {
    "user-agent": `Mozilla/5.0 ${userAgent}`,
    referer: `${origin}/${referrer}`,
    "x-forwarded-for": forwarded,
    ...(env.APP_URL === undefined ? {} : { "x-forwarded-host": new URL(env.APP_URL).host }),
    authorization: `Basic ${Buffer.from(authorization).toString("base64")}`,
  };
  const startedAt = Date.now();
  while (!output.includes("Worker connected")) {
    const isOver = child.exitCode !== null || Date.now() - startedAt > STARTS_WITHIN_MS;
    if (isOver) throw new Error(`The site did not start:\n${output}`);
    await sleep(100);
  }
  site = {
    origin,
    databaseUrl: proxy.url,
    dataDir: config.dataDir,
    process: child,
    fetch: (path, init) =>
      fetch(new URL(path, address), {
        redirect: "manual",
        ...init,
        headers: { ...common, ...Object.fromEntries(new Headers(init?.headers)) },
      }),
    output: () => output,
    stop: () => endProcess(child),
  };
}

/** Tries a wrong code, a wrong link, then the right ones; the mail server rejects every mail. */
async function signIn(): Promise<Jar> {
  const jar = new Jar(site);
  await jar.post("/enter", { next: `/about?${formField}=1` });
  const member = await createMember({ email: memberMail, fullName });
  await subscribe(member.id);
  for (const email of [unknownMail, refusedMail, `${unknownMail} ${card}`]) {
    await new Jar(site).post("/signin", { email, next: `/${formField}` });
  }
  await jar.post("/signin", { email: memberMail, next: "/about" });
  await jar.post("/signin/code", { code: wrongCode });
  await jar.visit(`/signin/verify?token=${wrongToken}`);
  await jar.post("/signin/verify", { token: wrongToken, confirm: "yes" });
  const { code, token } = await newestMail(memberMail);
  plant("a code", code);
  plant("a token", token);
  await jar.visit(`/signin/verify?token=${token}`);
  expect((await jar.post("/signin/code", { code })).status).toBe(303);
  for (const name of ["session", "adult"]) {
    const value = jar.get(name) ?? jar.get(`__Host-${name}`);
    plant(`a cookie ${name}`, decodeURIComponent(value ?? expect.unreachable("no cookie")));
  }
  await site.fetch("/", { headers: { cookie: `session=${sessionCookie}; ${otherCookie}=${otherCookie}` } });
  return jar;
}

async function browse(jar: Jar): Promise<void> {
  const [row] = await db.execute<{ id: string }>(sql`SELECT id FROM media`);
  const creators = await db.execute<{ slug: string }>(sql`SELECT slug FROM creators`);
  const pages = [
    "/",
    paths.media("video", videoSlug),
    paths.creator(creators[0]?.slug ?? ""),
    paths.list("video", { q: search }),
    paths.creators({ q: search }),
    `/content/video?q=${longSearch.repeat(300)}`,
    `/${missingPage}`,
    `/user/${missingPage}/${missingPage}`,
    `/content/video/${missingPage}`,
    `/media/${missingPage}/${missingPage}.mp4`,
    `/assets/${missingPage}.js`,
    paths.mediaFile(row?.id ?? "", "video-360.mp4"),
    paths.cancel({ subscription: payload, signature }),
    paths.withdraw({ subscription: payload, signature }),
    paths.subscribeReturn(payload),
    "/user/account",
    "/user/account/export",
  ];
  for (const path of pages) {
    for (const one of [
      path,
      dataPath(path),
      `${path}${path.includes("?") ? "&" : "?"}_data=${dataParameter}`,
    ]) {
      await db.delete(rateLimits);
      const answer = await jar.visit(one);
      await answer.arrayBuffer();
    }
  }
  await jar.visit(`/about?%5Fdata=${dataParameter}&card=${card}`);
}

async function writeForms(jar: Jar): Promise<void> {
  const profile = { intent: "profile", full_name: fullName, line1: street, postalCode: card, country: "" };
  await jar.post("/user/account", { ...profile, [formField]: formField });
  const picture = new FormData();
  picture.set("intent", "avatar");
  picture.set("avatar", new File(["no picture"], `${pictureName}.png`, { type: "image/png" }));
  await jar.visit("/user/account", { method: "POST", body: picture, headers: { Origin: site.origin } });
  await jar.post("/subscribe", { plan: card });
  await jar.post("/about", { [formField]: card });
  await jar.post(`/${missingPage}`, { [formField]: card });
  await jar.visit("/api/auth", {
    method: "POST",
    body: JSON.stringify({ event: formField, session: { access_token: wrongToken } }),
    headers: { Origin: site.origin },
  });
  await jar.visit("/signin", { method: "POST", body: payload, headers: { Origin: site.origin } });
}

/** The provider is unreachable, so the processing of an event fails too. */
async function sendEvents(): Promise<void> {
  const object = { id: "sub_1", object: "subscription", customer: "cus_1", email: memberMail, note: payload };
  const event = { id: `evt_${randomUUID()}`, object: "event", created: Math.floor(Date.now() / 1000) };
  const body = JSON.stringify({ ...event, type: "customer.subscription.updated", data: { object } });
  const signed = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret });
  plant("a signature", signed);
  for (const header of [`t=1,v1=${badSignature}`, badSignature, signed]) {
    const headers = { "stripe-signature": header };
    await site.fetch(paths.api.billingWebhook(), { method: "POST", body, headers });
  }
  await site.fetch(paths.api.billingWebhook(), { method: "POST", body: payload });
}

async function sendMalformed(): Promise<void> {
  for (const bytes of [
    `GET /${missingPage} HTTP/1.1\r\nHost: ${badHost} ${badHost}\r\n\r\n`,
    `GET /${missingPage}?q=${search} HTTP/1.1\r\nHost: localhost\r\n${badHeader}\r\n\r\n`,
    `TRACE /${badMethod} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    `FETCH /${badMethod} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET http://${badHost}/${missingPage}?q=${search} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    `GET /%${missingPage}%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    `GET /about HTTP/1.1\r\nHost: localhost\r\nCookie: ${otherCookie.repeat(2_000)}\r\n\r\n`,
    `${badHeader}\r\n\r\n`,
  ]) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {}).resume();
    socket.end(bytes);
    await once(socket, "close");
  }
}

/** Causes failures of the site itself, with values in the failing statements. */
async function failInside(jar: Jar): Promise<void> {
  await db.execute(sql`ALTER TABLE media RENAME TO media_away`);
  try {
    for (const path of [paths.list("video", { q: search }), paths.media("video", videoSlug)]) {
      await db.delete(rateLimits);
      expect((await jar.visit(path)).status).toBe(500);
      await jar.visit(dataPath(path));
    }
  } finally {
    await db.execute(sql`ALTER TABLE media_away RENAME TO media`);
  }
}

async function loseDatabase(jar: Jar): Promise<void> {
  await proxy.turn("refuse");
  const outage = paths.list("video", { q: searchInOutage });
  await expect.poll(async () => (await jar.visit(outage)).status).toBe(503);
  await jar.visit(dataPath(outage));
  await jar.post("/signin", { email: unknownMail, next: "/" });
  await jar.post("/user/account", { intent: "profile", full_name: fullName });
  await proxy.turn("pass");
  await expect.poll(async () => (await site.fetch("/readyz")).status).toBe(200);
}

/** The command names the file that it could not import; the running site logs no name. */
async function importFile(): Promise<void> {
  await writeFile(join(folder, `${fileName}.mp4`), "no video");
  const args = [await builtScript("import-media"), folder];
  const env = { ...process.env, DATABASE_URL: config.database.url, DATA_DIR: config.dataDir };
  const child = spawn(process.execPath, args, { stdio: "ignore", env });
  expect((await once(child, "exit"))[0]).toBe(1);
}

async function untilJobsFailed(): Promise<void> {
  await expect
    .poll(
      async () => {
        const rows = await db.execute<{ task: string }>(sql`
          SELECT DISTINCT task_identifier AS task FROM graphile_worker.jobs WHERE last_error IS NOT NULL`);
        return rows.map(({ task }) => task).sort();
      },
      { timeout: JOBS_WITHIN_MS },
    )
    .toEqual(expect.arrayContaining(["billing-event", "send-mail"]));
}

async function storedErrors(): Promise<string> {
  const jobs = await db.execute(sql`SELECT last_error FROM graphile_worker.jobs`);
  const mails = await db.execute(sql`SELECT last_error FROM mail_outbox`);
  return JSON.stringify([...jobs, ...mails]);
}

function requestLines(): string[] {
  return output.split("\n").filter((line) => line.includes('"msg":"request"'));
}

/** The names of the planted values that a text contains in any form. */
function found(text: string): string[] {
  const searched = text.toLowerCase();
  return [...planted]
    .filter(
      ([, value]) => value !== "" && formsOf(value).some((form) => searched.includes(form.toLowerCase())),
    )
    .map(([name]) => name);
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  // Base64 depends on the preceding bytes, so this takes the middle at each of the three offsets.
  const encoded = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    return [shifted.toString("base64"), shifted.toString("base64url")].map((text) => text.slice(4, -4));
  });
  return [
    value,
    encodeURIComponent(value),
    encodeURIComponent(encodeURIComponent(value)),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    bytes.toString("hex"),
    ...encoded.filter((text) => text.length >= 6),
  ];
}
