import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { cancelLink, findBySignature } from "./signed-links.server.ts";

const FLIPS = 10_000;

let own: { id: string; userId: string };
let other: { id: string; userId: string };
beforeAll(async () => {
  const [ada, eve] = [await createMember(), await createMember()];
  own = { id: await subscribe(ada.id), userId: ada.id };
  other = { id: await subscribe(eve.id), userId: eve.id };
});

function partsOf(link: string) {
  const { searchParams, pathname } = new URL(link);
  return {
    pathname,
    subscription: searchParams.get("subscription") ?? "",
    signature: searchParams.get("signature") ?? "",
  };
}

test("a link opens its own subscription and always has the same text and length", async () => {
  const { pathname, subscription, signature } = partsOf(cancelLink(own));
  expect([pathname, subscription, signature.length]).toEqual(["/cancel", own.id, 43]);
  expect(partsOf(cancelLink(other)).signature).toHaveLength(43);
  expect(cancelLink(own)).toBe(cancelLink(own));
  expect(await findBySignature(subscription, signature)).toEqual(own);
});

test("none of ten thousand links with a flipped bit is accepted", async () => {
  const { subscription, signature } = partsOf(cancelLink(own));
  const bits = signature.length * 8;
  const accepted: string[] = [];
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const bytes = Buffer.from(signature, "latin1");
    for (const bit of flip < bits ? [flip] : [flip % bits, (flip * 7 + 1 + Math.floor(flip / bits)) % bits]) {
      const at = Math.floor(bit / 8);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
    }
    const forged = bytes.toString("latin1");
    if (forged !== signature && (await findBySignature(subscription, forged)) !== null) accepted.push(forged);
  }
  expect(accepted).toEqual([]);
}, 60_000);

test("a link that decodes to the same bytes is refused, and so is a longer, shorter or empty one", async () => {
  const { subscription, signature } = partsOf(cancelLink(own));
  const bytes = Buffer.from(signature, "base64url");
  const same = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
    .map((last) => signature.slice(0, -1) + last)
    .filter((written) => written !== signature && Buffer.from(written, "base64url").equals(bytes));
  expect(same).toHaveLength(3);
  for (const forged of [
    ...same,
    `${signature}=`,
    signature.slice(1),
    "",
    ` ${signature}`,
    signature.repeat(1000),
    `${signature}\n`,
  ]) {
    expect(await findBySignature(subscription, forged)).toBeNull();
  }
});

test("a link is valid for one subscription of one person", async () => {
  const signatures = [own, other].map((own) => partsOf(cancelLink(own)).signature);
  expect(await findBySignature(own.id, signatures[1] ?? "")).toBeNull();
  expect(await findBySignature(other.id, signatures[0] ?? "")).toBeNull();
  const mixed = [
    partsOf(cancelLink({ id: own.id, userId: other.userId })).signature,
    partsOf(cancelLink({ id: other.id, userId: own.userId })).signature,
  ];
  for (const signature of mixed) {
    for (const { id } of [own, other]) expect(await findBySignature(id, signature)).toBeNull();
  }
  for (const id of ["", "sub_unknown", `${own.id} `, "x".repeat(300), "\u0000"]) {
    expect(await findBySignature(id, signatures[0] ?? "")).toBeNull();
  }
});

test("no other signature made with the secret is accepted", async () => {
  const facts = JSON.stringify([own.id, own.userId]);
  for (const key of [config.session.secret, `${config.session.secret}cancel-link`, "cancel-link", ""]) {
    const signature = createHmac("sha256", key).update(facts).digest("base64url");
    expect(await findBySignature(own.id, signature)).toBeNull();
  }
});

test("a link ends with the account that it belonged to", async () => {
  const { signature } = partsOf(cancelLink(other));
  await db.delete(subscriptions).where(eq(subscriptions.id, other.id));
  expect(await findBySignature(other.id, signature)).toBeNull();
  const stranger = await createMember();
  await db.insert(subscriptions).values({
    id: other.id,
    userId: stranger.id,
    provider: "demo",
    status: "active",
    priceId: "price_test_monthly",
    currentPeriodStart: new Date(),
    currentPeriodEnd: new Date(Date.now() + 1e9),
  });
  expect(await findBySignature(other.id, signature)).toBeNull();
});
