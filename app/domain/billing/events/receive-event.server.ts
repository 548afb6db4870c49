import { and, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { prices, products } from "#db/schema/billing.ts";
import type { EventSubject } from "../providers/contract/provider.ts";
import { currentProvider } from "../providers/current-provider.server.ts";
import { storeEvent } from "./store-event.server.ts";

/** "known": received before. "ignored": nothing here depends on it. "other-site": it is about another site. */
export type Received =
  | { what: "stored" | "known" | "ignored" | "other-site"; eventId: string; type: string }
  | { what: "badSignature" | "noProvider" };

/** `body` must be exactly as sent. */
export async function receiveEvent(body: string, headers: Headers): Promise<Received> {
  const provider = currentProvider();
  if (provider === null) return { what: "noProvider" };
  // A web process whose clock is minutes off would refuse every event as too old.
  const receivedAt = await readDatabaseTime();
  const event = provider.parseEvent(body, headers, receivedAt);
  if (event === null) return { what: "badSignature" };
  const { id, type, subject, isOtherSite } = event;
  const received = { eventId: id, type };
  if (subject === null) return { what: "ignored", ...received };
  if (isOtherSite && !(await isOfferedHere(subject))) return { what: "other-site", ...received };
  const { customerId, createdAt } = event;
  const about = { subject: subject.kind, subjectId: subject.id, customerId };
  const isNew = await storeEvent({ id, provider: provider.name, type, ...about, createdAt });
  return { what: isNew ? "stored" : "known", ...received };
}

/** Ours until it was given to another site; the event then withdraws it. */
async function isOfferedHere({ kind, id }: EventSubject): Promise<boolean> {
  if (kind !== "product" && kind !== "price") return false;
  const table = kind === "product" ? products : prices;
  return (await db.$count(table, and(eq(table.id, id), table.active))) > 0;
}
