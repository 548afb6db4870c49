import { expect, test } from "vitest";
import { beginSnapshot } from "../sync/snapshot.server.ts";
import { writeOnce } from "./process-event.server.ts";
import { storeEvent } from "./receive-event.server.ts";

const WORKERS = 5;

test("an event has one effect, however many workers process it at once or later", async () => {
  const id = "evt_once";
  const about = { subject: "subscription", subjectId: "sub_once", customerId: null };
  await storeEvent({ id, provider: "stripe", type: "of.a.kind", ...about, createdAt: new Date() });
  const snapshot = await beginSnapshot("stripe");
  const effects = await Promise.all(Array.from({ length: WORKERS }, () => writeOnce(id, snapshot)));
  expect(effects.filter((effect) => effect !== null)).toHaveLength(1);
  expect(await writeOnce(id, snapshot)).toBeNull();
});
