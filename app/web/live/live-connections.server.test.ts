import { randomUUID } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import type { LiveOpening } from "#app/domain/announcements/live-announcements.server.ts";
import type { Member } from "../session/guards.server.ts";
import {
  connectionsOf,
  MAX_LIVE_CONNECTIONS_PER_MEMBER,
  openConnection,
  replaceOlder,
} from "./live-connections.server.ts";

const FIRST_ID = "00000000-0000-4000-8000-000000000000";
const LAST_ID = "ffffffff-ffff-4fff-bfff-ffffffffffff";
const SESSIONS = Array.from({ length: MAX_LIVE_CONNECTIONS_PER_MEMBER + 1 }, () => randomUUID());

/** hasEnded(): this process no longer sends to it. */
function openHere(opening: Pick<LiveOpening, "userId" | "sessionId" | "openedAt">) {
  const { userId, sessionId, openedAt } = opening;
  const user = { id: userId, email: "ada@example.org", fullName: null, avatarUrl: null, role: "member" };
  const session = { sessionId, now: new Date(openedAt) };
  const member = { isAdult: true, user, subscription: null, session } as unknown as Member;
  const before = connectionsOf(userId);
  const body = openConnection(member, new ServerResponse(new IncomingMessage(new Socket())));
  const connection = connectionsOf(userId).find((each) => !before.includes(each));
  return {
    text: () => new Response(body).text(),
    hasEnded: () => connection === undefined || !connectionsOf(userId).includes(connection),
  };
}

function heardFrom(opening: Partial<LiveOpening> & Pick<LiveOpening, "userId" | "openedAt">): void {
  replaceOlder({ sessionId: randomUUID(), connectionId: randomUUID(), ...opening });
}

test("the newest live connection of a session stays, whatever the order in which openings arrive", async () => {
  const ada = { userId: randomUUID(), sessionId: randomUUID() };
  const live = openHere({ ...ada, openedAt: 2_000 });
  heardFrom({ ...ada, openedAt: 1_999 });
  expect(live.hasEnded()).toBe(false);
  heardFrom({ ...ada, openedAt: 2_001 });
  expect(live.hasEnded()).toBe(true);
  expect(await live.text()).toMatch(/event: replaced\ndata: {}\n\n$/);
});

test("a late answer does not end the newer live connection of its session", async () => {
  const ada = { userId: randomUUID(), sessionId: randomUUID() };
  const newer = openHere({ ...ada, openedAt: 2_000 });
  const older = openHere({ ...ada, openedAt: 1_999 });
  expect([newer.hasEnded(), older.hasEnded()]).toEqual([false, true]);
  expect(await older.text()).toMatch(/event: replaced\ndata: {}\n\n$/);
});

test.each([
  [FIRST_ID, false],
  [LAST_ID, true],
])(
  "of two openings in one millisecond, every process keeps the same one, by id: %s",
  (connectionId, ends) => {
    const ada = { userId: randomUUID(), sessionId: randomUUID() };
    const live = openHere({ ...ada, openedAt: 2_000 });
    heardFrom({ ...ada, openedAt: 2_000, connectionId });
    expect(live.hasEnded()).toBe(ends);
  },
);

const inOrder = SESSIONS.map((sessionId, openedAt) => ({ sessionId, openedAt }));
const orders = {
  "as they were opened": inOrder,
  "the newest first": inOrder.toReversed(),
  "the oldest last": [...inOrder.slice(1), ...inOrder.slice(0, 1)],
  "from the middle": [...inOrder.slice(3), ...inOrder.slice(0, 3)],
};

test.each(Object.entries(orders))("only the oldest of seven sessions is replaced: %s", (_, order) => {
  const here = { userId: randomUUID() };
  const opened = order.map((each) => ({ ...each, live: openHere({ ...here, ...each }) }));
  expect(opened.filter(({ live }) => live.hasEnded()).map(({ openedAt }) => openedAt)).toEqual([0]);

  for (const { sessionId, openedAt } of inOrder) {
    const there = { userId: randomUUID() };
    const live = openHere({ ...there, sessionId, openedAt });
    for (const other of order) if (other.sessionId !== sessionId) heardFrom({ ...there, ...other });
    expect(live.hasEnded(), `number ${openedAt}`).toBe(openedAt === 0);
  }
});

test("a session that reconnects again and again counts once", () => {
  const ada = { userId: randomUUID() };
  const live = openHere({ ...ada, sessionId: randomUUID(), openedAt: 0 });
  for (let openedAt = 1; openedAt <= 20; openedAt += 1) {
    heardFrom({ ...ada, sessionId: SESSIONS[openedAt % 5], openedAt });
  }
  expect(live.hasEnded()).toBe(false);
});
