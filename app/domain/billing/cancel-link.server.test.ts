import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { cancelLink, findBySeal } from "./cancel-link.server.ts";

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
    seal: searchParams.get("seal") ?? "",
  };
}

test("a link opens its own subscription, is always the same and always as long", async () => {
  const { pathname, subscription, seal } = partsOf(cancelLink(own));
  expect([pathname, subscription, seal.length]).toEqual(["/cancel", own.id, 43]);
  expect(partsOf(cancelLink(other)).seal).toHaveLength(43);
  expect(cancelLink(own)).toBe(cancelLink(own));
  expect(await findBySeal(subscription, seal)).toEqual(own);
});

test("of ten thousand links with a bit flipped none is accepted", async () => {
  const { subscription, seal } = partsOf(cancelLink(own));
  const bits = seal.length * 8;
  const accepted: string[] = [];
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const bytes = Buffer.from(seal, "latin1");
    // Every single bit once, then every pair that a stride reaches.
    for (const bit of flip < bits ? [flip] : [flip % bits, (flip * 7 + 1 + Math.floor(flip / bits)) % bits]) {
      const at = Math.floor(bit / 8);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
    }
    const forged = bytes.toString("latin1");
    if (forged !== seal && (await findBySeal(subscription, forged)) !== null) accepted.push(forged);
  }
  expect(accepted).toEqual([]);
}, 60_000);

test("what decodes to the same bytes is another link, and so is anything longer, shorter or empty", async () => {
  const { subscription, seal } = partsOf(cancelLink(own));
  const bytes = Buffer.from(seal, "base64url");
  const same = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
    .map((last) => seal.slice(0, -1) + last)
    .filter((written) => written !== seal && Buffer.from(written, "base64url").equals(bytes));
  expect(same).toHaveLength(3);
  for (const forged of [...same, `${seal}=`, seal.slice(1), "", ` ${seal}`, seal.repeat(1000), `${seal}\n`]) {
    expect(await findBySeal(subscription, forged)).toBeNull();
  }
});

test("a link is good for one subscription of one person", async () => {
  const seals = [own, other].map((held) => partsOf(cancelLink(held)).seal);
  expect(await findBySeal(own.id, seals[1] ?? "")).toBeNull();
  expect(await findBySeal(other.id, seals[0] ?? "")).toBeNull();
  const mixed = [
    partsOf(cancelLink({ id: own.id, userId: other.userId })).seal,
    partsOf(cancelLink({ id: other.id, userId: own.userId })).seal,
  ];
  for (const seal of mixed) {
    for (const { id } of [own, other]) expect(await findBySeal(id, seal)).toBeNull();
  }
  for (const id of ["", "sub_unknown", `${own.id} `, "x".repeat(300), "\u0000"]) {
    expect(await findBySeal(id, seals[0] ?? "")).toBeNull();
  }
});

test("nothing else that the secret signs is a link", async () => {
  const told = JSON.stringify([own.id, own.userId]);
  for (const key of [config.session.secret, `${config.session.secret}cancel-link`, "cancel-link", ""]) {
    const seal = createHmac("sha256", key).update(told).digest("base64url");
    expect(await findBySeal(own.id, seal)).toBeNull();
  }
});

test("a link ends with the account that it belonged to", async () => {
  const { seal } = partsOf(cancelLink(other));
  await db.delete(subscriptions).where(eq(subscriptions.id, other.id));
  expect(await findBySeal(other.id, seal)).toBeNull();
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
  expect(await findBySeal(other.id, seal)).toBeNull();
});
