import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { storedErrors, untilJobsFailed } from "#tests/support/canaries/failed-jobs.ts";
import { CANARIES, found, plant, planted } from "#tests/support/canaries/planted.ts";
import {
  HOSTED,
  type RealSite,
  STARTS_WITHIN_MS,
  smtp,
  startRealSite,
} from "#tests/support/canaries/real-site.ts";
import { type ChaosProxy, startChaosProxy } from "#tests/support/chaos-proxy.ts";
import { Jar } from "#tests/support/cookie-jar.ts";
import { dataPath } from "#tests/support/crawl.ts";
import { newestMail } from "#tests/support/mails.ts";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { expectFigures } from "./support/figures.ts";

/** For the report, over all sites. */
const searched = { sites: 0, lines: 0, inLogs: 0, inStoredErrors: 0 };

const {
  memberMail,
  unknownMail,
  refusedMail,
  fullName,
  street,
  title,
  creatorName,
  description,
  search,
  searchInOutage,
  longSearch,
  wrongCode,
  wrongToken,
  signature,
  sessionCookie,
  otherCookie,
  card,
  webhookSecret,
  payload,
  badSignature,
  missingPage,
  dataParameter,
  pictureName,
  fileName,
  badHost,
  badHeader,
  badMethod,
  formField,
} = CANARIES;

let site: RealSite;
let proxy: ChaosProxy;
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
afterEach(async () => {
  await proxy.turn("pass");
  await site.stop();
});
afterAll(async () => {
  await proxy.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ["a demo", {}],
  ["a hosted site", HOSTED],
  ["a hosted site behind its own nginx", { ...HOSTED, FRONT: "nginx" as const }],
])(
  "no line that %s writes contains anything secret or personal",
  async (_, env) => {
    site = await startRealSite(proxy.url, env);
    const jar = await signIn();
    await browse(jar);
    await writeForms(jar);
    await sendEvents();
    await sendMalformed();
    await failInside(jar);
    await loseDatabase(jar);
    await importFile();
    await untilJobsFailed();
    const output = site.output();
    expect(planted.size).toBeGreaterThanOrEqual(30);
    // The faults must have left log lines, or the search below would prove nothing.
    for (const proof of [
      '"msg":"request"',
      "request failed",
      "the database is unreachable",
      "billing event refused",
    ]) {
      expect(output).toContain(proof);
    }
    const inLogs = found(output);
    const inStoredErrors = found(await storedErrors());
    searched.sites += 1;
    searched.lines += output.split("\n").length;
    searched.inLogs += inLogs.length;
    searched.inStoredErrors += inStoredErrors.length;
    expect(inLogs, "in the output of the site").toEqual([]);
    expect(inStoredErrors, "in what the queue and the emails keep of errors").toEqual([]);
    expect(output).toMatch(/"path":"\/content\/video\/\$slug"/);
    expect(output).toContain("job failed");
  },
  300_000,
);

test("all sites have been searched for all planted values", () => {
  expectFigures({
    planted: { is: planted.size, atLeast: 30 },
    sites: { is: searched.sites, exactly: 3 },
    lines: { is: searched.lines, atLeast: 300 },
    foundInLogs: { is: searched.inLogs, exactly: 0 },
    foundInStoredErrors: { is: searched.inStoredErrors, exactly: 0 },
  });
});

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
    await site.fetch(paths.api.billingWebhook("stripe"), { method: "POST", body, headers });
  }
  await site.fetch(paths.api.billingWebhook("stripe"), { method: "POST", body: payload });
  // For a provider that signs nothing, a part of the path is secret.
  await site.fetch(paths.api.billingWebhook("stripe", payload), { method: "POST", body: payload });
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
    const socket = connect(site.port, "127.0.0.1");
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
