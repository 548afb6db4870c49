import { expect, test } from "vitest";
import { HELD_BACK } from "#app/domain/media/import/refusal.ts";
import { DISK_FULL } from "#app/domain/media/storage/disk-full.ts";
import { blockedIn } from "./blocked-sets.server.ts";

const refused = (path: string, note: string) => ({
  ...{ path, note, bytes: 5, receivedBytes: 5 },
  state: "refused",
});
const NO_ROOM = "the disk has no room for it";

test("a photo holds back other photos, and never a video that waits for its sidecar", () => {
  const video = refused("Both/talk.mp4", `${HELD_BACK}talk.yaml, which would describe it`);
  const sidecar = refused("Both/talk.yaml", "unknown key titel");
  const healthy = refused("Both/1.jpg", NO_ROOM);
  expect(blockedIn([video, sidecar, healthy])).toEqual({ inTheWay: [sidecar], heldBack: [video] });

  const waiting = refused("Set/1.jpg", `${HELD_BACK}2.jpg, which is beside its pictures`);
  const damaged = refused("Set/2.jpg", "damaged");
  expect(blockedIn([waiting, damaged, healthy])).toEqual({ inTheWay: [damaged], heldBack: [waiting] });
});

test("a photo refused by a full disk holds back nothing: it may fit later", () => {
  const waiting = refused("Set/1.jpg", `${HELD_BACK}another file of its set, which was refused`);
  const photo = refused("Set/2.jpg", DISK_FULL);
  expect(blockedIn([waiting, photo])).toEqual({ inTheWay: [], heldBack: [] });
  const damaged = refused("Set/3.jpg", "damaged");
  expect(blockedIn([waiting, photo, damaged]).inTheWay).toEqual([damaged]);
});

test("a file that was refused with its whole set, or never sent, holds back nothing", () => {
  expect(blockedIn([refused("Set/1.jpg", NO_ROOM)])).toEqual({ inTheWay: [], heldBack: [] });
  const waiting = refused("Set/1.jpg", `${HELD_BACK}2.jpg, which is beside its pictures`);
  const empty = { ...refused("Set/2.jpg", "the file is empty"), bytes: 0, receivedBytes: 0 };
  expect(blockedIn([waiting, empty])).toEqual({ inTheWay: [], heldBack: [] });
});
