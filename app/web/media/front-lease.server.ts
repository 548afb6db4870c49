import type { Viewer } from "#app/domain/viewer/viewer.ts";
import {
  freeStreamSlot,
  renewStreamSlot,
  type StreamHolder,
  type StreamSlot,
  takeStreamSlot,
} from "#app/domain/viewing/stream-slots.server.ts";
import { log } from "#app/log.server.ts";
import { holderOf } from "./video-slot.server.ts";

/** A viewer's slot for a video that nginx sends, as the text that nginx keeps; empty for an uncounted video. */
export type FrontLease = string;

const UNCOUNTED: FrontLease = "";
const LEASE = /^([0-9a-f-]{36})\/(\d{1,3})\/([0-9a-f-]{36})$/;

export async function takeFrontLease(
  request: Request,
  viewer: Viewer,
): Promise<FrontLease | { status: 429 }> {
  const holder = holderOf(request, viewer);
  try {
    const slot = await takeStreamSlot(holder);
    return slot === null ? { status: 429 } : leaseOf(holder, slot);
  } catch (error) {
    log.warn({ err: error }, "a stream is not counted");
    return UNCOUNTED;
  }
}

/** Another lease for a video that has lost its slot in a long pause; null when all slots are taken. */
export async function keepFrontLease(
  request: Request,
  viewer: Viewer,
  lease: FrontLease,
): Promise<FrontLease | null> {
  const kept = parse(lease);
  if (kept === null) return UNCOUNTED;
  try {
    if (await renewStreamSlot(kept.holder, kept.slot)) return lease;
  } catch (error) {
    log.warn({ err: error }, "a stream is not counted");
    return lease;
  }
  const next = await takeFrontLease(request, viewer);
  return typeof next === "string" ? next : null;
}

export async function freeFrontLease(lease: FrontLease): Promise<void> {
  const kept = parse(lease);
  if (kept === null) return;
  await freeStreamSlot(kept.holder, kept.slot).catch((error: unknown) =>
    log.warn({ err: error }, "a slot stays taken"),
  );
}

function leaseOf({ id }: StreamHolder, { slot, leaseId }: StreamSlot): FrontLease {
  return `${id}/${slot}/${leaseId}`;
}

function parse(lease: FrontLease): { holder: StreamHolder; slot: StreamSlot } | null {
  const [, id, slot, leaseId] = LEASE.exec(lease) ?? [];
  if (id === undefined || leaseId === undefined) return null;
  return { holder: { id, maxStreams: 0 }, slot: { slot: Number(slot), leaseId } };
}
