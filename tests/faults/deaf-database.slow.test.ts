import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import {
  hearsAnnouncements,
  isUnchangedSince,
  listenToAnnouncements,
} from "#app/domain/announcements/listen.server.ts";
import { startChaosProxy, type Weather } from "#tests/support/chaos-proxy.ts";

const direct = config.database.url ?? "";
const proxy = await startChaosProxy(direct);
afterAll(() => proxy.stop());

test.each<[Weather, boolean]>([
  ["pass", true],
  ["deaf", false],
  ["slow", true],
])(
  "with the proxy's %s, it is known whether announcements arrive",
  async (weather, isHeard) => {
    await proxy.turn(weather);
    expect(await hearsAnnouncements(proxy.url)).toBe(isHeard);
  },
  60_000,
);

test("an announcement that is lost once is not taken for a pooler", async () => {
  await proxy.turn("deaf");
  const before = proxy.connections();
  const isHeard = hearsAnnouncements(proxy.url);
  await expect.poll(() => proxy.connections() - before).toBe(2);
  await sleep(3_000);
  // It leaves the connections open.
  await proxy.turn("slow");
  expect(await isHeard).toBe(true);
}, 60_000);

test("a process that hears no announcements keeps no decision, until it hears them", async () => {
  await proxy.turn("deaf");
  config.database.directUrl = proxy.url;
  let beginnings = 0;
  const onBeginning = () => {
    beginnings += 1;
  };
  listenToAnnouncements({ onSubject: () => {}, onLive: () => {}, onBeginning });
  await expect.poll(() => proxy.connections()).toBeGreaterThan(0);
  await sleep(3_000);
  expect(isUnchangedSince(performance.now(), [])).toBe(false);
  expect(beginnings).toBe(0);
  await proxy.turn("pass");
  await expect.poll(() => isUnchangedSince(performance.now(), []), { timeout: 30_000 }).toBe(true);
  expect(beginnings).toBe(1);
}, 60_000);
