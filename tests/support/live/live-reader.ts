import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { db } from "#db/client.server.ts";
import { createMember, signedInCookie } from "../people.ts";
import type { Site } from "../site.ts";

export interface LiveReader {
  status: number;
  headers: Headers;
  /** The events so far, heartbeats included: "changed {…}". */
  events: string[];
  /** Everything that was received. */
  text: () => string;
  hasEnded: () => boolean;
  close: () => void;
}

/** Follows the events of a member as a browser does. */
export async function followLive(site: Pick<Site, "origin">, cookie: string): Promise<LiveReader> {
  const closing = new AbortController();
  const response = await fetch(`${site.origin}/api/live`, {
    headers: { cookie, accept: "text/event-stream" },
    signal: closing.signal,
  });
  const events: string[] = [];
  let text = "";
  let hasEnded = false;
  const read = async () => {
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) return;
      text += decoder.decode(value, { stream: true });
      events.splice(0, events.length, ...eventsIn(text));
    }
  };
  read()
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
    });
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    hasEnded: () => hasEnded,
    close: () => closing.abort(),
  };
}

function eventsIn(text: string): string[] {
  const matches = text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g);
  return [...matches].map(([, name, data]) => `${name} ${data}`);
}

/** Resolves once the process hears what the database announces, which begins soon after its start. */
export async function untilListening(site: Pick<Site, "origin">): Promise<void> {
  const member = await createMember();
  const reader = await followLive(site, await signedInCookie(member.id));
  const announced = async () => {
    await db.execute(sql`SELECT pg_notify('peony_changes', ${`user ${member.id}`})`);
    return reader.events.join();
  };
  await vi.waitUntil(async () => (await announced()).includes("access"), { timeout: 15_000, interval: 200 });
  reader.close();
}
