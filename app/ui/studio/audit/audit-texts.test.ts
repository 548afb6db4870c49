import { expect, test } from "vitest";
import { formatShortZoneTime } from "#app/dates.ts";
import type { BulkChange } from "#app/domain/catalog/edit/bulk/bulk-change.ts";
import { changesOf, describeEntry } from "./audit-texts.ts";

const at = (moment: Date) => formatShortZoneTime(moment, "Europe/Berlin");

test.each<[BulkChange, string]>([
  [{ kind: "access", access: "member" }, "changed the access of 5 items to Members"],
  [{ kind: "download", allowDownload: true }, "allowed downloads of 5 items"],
  [{ kind: "addTag", name: "Dusk" }, "added the tag “Dusk” to 5 items"],
  [{ kind: "removeTag", name: "Dusk" }, "removed the tag “Dusk” from 5 items"],
  [{ kind: "removeCreator", name: "Mara" }, "removed the credit “Mara” from 5 items"],
  [{ kind: "publishAt", publishAt: "2026-11-27T19:00:00.000Z" }, "scheduled 5 items for 27 Nov 2026, 20:00"],
  [{ kind: "state", transition: "hide" }, "hid 5 items"],
])("the log says how many items were changed in which way: %j", (change, deed) => {
  const facts = { before: null, after: { change, items: 5 } };
  const entry = { action: "bulk.confirmed", subjectName: null, ...facts } as const;
  expect(describeEntry(entry, at)).toBe(deed);
  expect(changesOf(entry, at)).toEqual([]);
});

test.each([
  [1, "stopped a bulk change; 1 item was left unchanged"],
  [3, "stopped a bulk change; 3 items were left unchanged"],
])("the log says how many items a stopped change left: %i", (items, deed) => {
  const entry = { action: "bulk.stopped", subjectName: null, before: null, after: { items } } as const;
  expect(describeEntry(entry, at)).toBe(deed);
});

test.each([
  ["ليل", "\u2068ليل\u2069"],
  ["Silk\u202e", "\u2068Silk\u2069"],
])("a title such as %j leaves the sentence of the log in order", (subjectName, shown) => {
  const entry = {
    action: "tag.merged",
    subjectName,
    before: null,
    after: { into: "שלום", items: 3 },
  } as const;
  expect(describeEntry(entry, at)).toBe(`merged the tag “${shown}” into “\u2068שלום\u2069”, with 3 items`);
});

test("each kind of value has words of its own", () => {
  const photo = "alt-0190f7a2-0000-4000-8000-000000000000";
  const chapters = [
    { atSeconds: 249, title: "Dusk" },
    { atSeconds: 300.25, title: "Dawn" },
  ];
  const entry = {
    subjectName: "Silk",
    before: { creators: [], chapters, [photo]: "", shoot: null },
    after: { creators: ["Ada", "Mara"], chapters: [], [photo]: "A window", shoot: "0190f7a2-1111" },
  };
  const changes = changesOf({ ...entry, action: "media.edited" }, at);
  expect(changes.map(({ name, was, is }) => `${name}: ${was} → ${is}`)).toEqual([
    "Credits: nothing → Ada, Mara",
    "Chapters: 4:09 Dusk, 5:00.25 Dawn → nothing",
    "A photo, alternative text: nothing → A window",
    "Shoot: nothing → Shoot 0190f7a2",
  ]);
});

test("a role is named as the page of the staff names it", () => {
  const [before, after] = [
    { email: "ada@example.com", role: "member" },
    { email: "ada@example.com", role: "editor" },
  ];
  const entry = { action: "role.changed", subjectName: null, before, after } as const;
  expect(describeEntry(entry, at)).toBe("made ada@example.com an editor");
  expect(changesOf(entry, at)).toEqual([{ field: "role", name: "Role", was: "No role", is: "Editor" }]);
});
