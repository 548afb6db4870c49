import { expect, test } from "vitest";
import { toZoneTime } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { recordAudit } from "./audit.server.ts";
import { listAudit } from "./list-audit.server.ts";

const SCRIPT = { id: null, name: "people:role", role: "owner" } as const;
const NEWEST = { olderThan: null, newerThan: null };

test("an item is found by a part of its title at the time, in either case", async () => {
  const entry = { actor: SCRIPT, action: "media.edited", subjectKind: "media" } as const;
  await db.transaction(async (tx) => {
    await recordAudit(tx, { ...entry, subjectId: "one", subjectName: "Silk and Smoke" });
    await recordAudit(tx, { ...entry, subjectId: "other", subjectName: "Silk" });
  });
  const filters = { actor: null, action: null, subject: "and smoke", from: null, to: null };
  const { entries } = await listAudit(filters, NEWEST, "UTC");
  expect(entries.map(({ subjectId }) => subjectId)).toEqual(["one"]);
});

test("the days of a filter are those of the site's time zone", async () => {
  await db.transaction((tx) =>
    recordAudit(tx, { actor: SCRIPT, action: "role.changed", subjectKind: "user", subjectId: "someone" }),
  );
  const everything = { actor: null, action: null, subject: "someone", from: null, to: null };
  const [entry] = (await listAudit(everything, NEWEST, "UTC")).entries;
  if (!entry) throw new Error("no entry");
  // At every moment these two have different days.
  const [first, last] = ["Pacific/Kiritimati", "Etc/GMT+12"] as const;
  const day = toZoneTime(entry.at, first).slice(0, 10);
  const onDay = { ...everything, from: day, to: day };
  expect((await listAudit(onDay, NEWEST, first)).entries).toHaveLength(1);
  expect((await listAudit(onDay, NEWEST, last)).entries).toEqual([]);
});
