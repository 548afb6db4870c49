import { createHmac, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { readStoredKey } from "#app/domain/keys/stored-key.server.ts";
import { db } from "#db/client.server.ts";
import { trials } from "#db/schema/checkouts.ts";
import { siteSettings } from "#db/schema/site.ts";
import { createMember } from "#tests/support/people.ts";
import { findTrialKey, hasHadTrial, keepTrialKey } from "./trials.server.ts";

const OLD = randomBytes(32).toString("hex");
const NEW = randomBytes(32).toString("hex");
const NEWEST = randomBytes(32).toString("hex");

beforeEach(async () => {
  await db.delete(siteSettings);
  await db.delete(trials);
  replaceSecret(OLD);
});

function replaceSecret(secret: string, oldSecret: string | null = null): void {
  Object.assign(config.session, { secret, oldSecret });
}

async function addTrial(email: string): Promise<void> {
  await keepTrialKey();
  const addressHash = createHmac("sha256", await findTrialKey())
    .update(`trial-address:${email}`)
    .digest("hex");
  await db.insert(trials).values({ subscriptionId: `sub_${email}`, addressHash });
}

async function isTrialKnown(email: string): Promise<boolean> {
  return hasHadTrial((await createMember()).id, email);
}

const storedText = async () => JSON.stringify(await db.select().from(siteSettings));

test("trials are recognized while the secret is replaced, after that, and after another replacement", async () => {
  await addTrial("ada@example.com");
  expect(await isTrialKnown("ada+again@example.com")).toBe(true);
  expect(await isTrialKnown("eve@example.com")).toBe(false);

  replaceSecret(NEW, OLD);
  expect(await isTrialKnown("ada@example.com")).toBe(true);
  await keepTrialKey();
  replaceSecret(NEW);
  expect(await isTrialKnown("ada@example.com")).toBe(true);

  replaceSecret(NEWEST, NEW);
  await keepTrialKey();
  replaceSecret(NEWEST);
  expect(await isTrialKnown("ada@example.com")).toBe(true);
});

test("returning to the former secret loses nothing", async () => {
  await keepTrialKey();
  const key = await findTrialKey();
  replaceSecret(NEW, OLD);
  await keepTrialKey();
  replaceSecret(OLD);
  await keepTrialKey();
  expect(await findTrialKey()).toEqual(key);
});

test("a site without trials gets one random key, however many processes start at once", async () => {
  await Promise.all(Array.from({ length: 8 }, keepTrialKey));
  const key = await findTrialKey();
  expect([key.length, key.equals(Buffer.from(OLD))]).toEqual([32, false]);
  await keepTrialKey();
  expect(await findTrialKey()).toEqual(key);
});

test("the database alone reveals neither the key nor the secret that encrypts it", async () => {
  await keepTrialKey();
  const text = await storedText();
  for (const bytes of [await findTrialKey(), Buffer.from(OLD)])
    for (const encoding of ["utf8", "hex", "base64", "base64url"] as const)
      expect(text).not.toContain(bytes.toString(encoding));
});

test("a start with a wrong secret leaves the key alone, and the right one finds it again", async () => {
  await keepTrialKey();
  const before = await findTrialKey();
  const text = await storedText();
  replaceSecret(NEW);
  expect((await readStoredKey("trial-key")).key).toBeNull();
  expect(await keepTrialKey()).toBe(false);
  expect(await storedText()).toBe(text);
  replaceSecret(OLD);
  expect(await keepTrialKey()).toBe(true);
  expect(await findTrialKey()).toEqual(before);
});

test("a secret that is no longer set does not open the stored key", async () => {
  await keepTrialKey();
  replaceSecret(NEW, OLD);
  await keepTrialKey();
  replaceSecret(NEW);
  await keepTrialKey();
  replaceSecret(OLD);
  expect((await readStoredKey("trial-key")).key).toBeNull();
});

test("a key with a flipped bit is refused", async () => {
  await keepTrialKey();
  const { value } = await readStoredKey("trial-key");
  const [encrypted = ""] = (value as { encrypted: string[] }).encrypted;
  const forged = encrypted.replace(/^./, (first) => (first === "A" ? "B" : "A"));
  await db
    .update(siteSettings)
    .set({ value: { encrypted: [forged] } })
    .where(eq(siteSettings.name, "trial-key"));
  expect((await readStoredKey("trial-key")).key).toBeNull();
});
