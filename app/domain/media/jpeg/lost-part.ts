// Needed because libjpeg goes on after a fault and says neither where nor how much it left out: decision 137.
import { type Head, isComplete, planScan, readSegment, SCAN, type ScanPlan, uint16 } from "./scan-plan.ts";

const END = 0xd9;
/** Lossless, hierarchical and arithmetic pictures. */
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
/** An end of a block, as libjpeg has it where no code fits: the length in bits, and the symbol. */
const NO_CODE = 17 << 8;
const MAX_SIZE = 11;
/** In a row. A restart marker that skips more has a wrong number. */
const MAX_LOST_RESTARTS = 4;
/** Codes may be read past the end by a block. */
const LOOK_AHEAD = 512;

/**
 * The fraction of a JPEG, 0 to 1, that is lost or wrong: everything from an impossible code to the next restart marker.
 * Null for a kind of JPEG that is not followed here.
 */
export function lostPart(jpeg: Uint8Array): number | null {
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8) return null;
  const head: Head = {
    frame: null,
    huffmanTables: new Map(),
    quantizers: new Map(),
    restartInterval: 0,
    missingBits: new Map(),
  };
  let lost: number | null = null;
  for (let at = 2; ; ) {
    at = endOfCodes(jpeg, at);
    const marker = jpeg[at + 1];
    if (marker === undefined || marker === END) return isComplete(head) ? lost : 1;
    if (OTHER_FRAMES.includes(marker)) return null;
    at += 2;
    if (isRestart(marker) || isUnused(marker)) continue;
    const segment = jpeg.subarray(at + 2, at + uint16(jpeg, at));
    at += uint16(jpeg, at);
    if (marker !== SCAN) {
      readSegment(head, marker, segment);
      continue;
    }
    const plan = planScan(head, segment);
    if (plan === null) return null;
    lost = Math.max(lost ?? 0, plan.isRefinement ? 0 : lostMcus(jpeg, at, plan) / plan.mcus);
    if (plan.isOnlyScan) return lost;
  }
}

function lostMcus(jpeg: Uint8Array, start: number, plan: ScanPlan): number {
  const { mcus, restartInterval } = plan;
  let [at, done, lost] = [start, 0, 0];
  for (;;) {
    const end = endOfCodes(jpeg, at);
    const size = Math.min(restartInterval, mcus - done);
    lost += lostOf(plan, codesOf(jpeg, at, end), size);
    done += size;
    if (done >= mcus) return lost;
    const next = nextRestart(jpeg, end, done / restartInterval - 1);
    if (next === null) return lost + mcus - done;
    const skipped = Math.min(mcus - done, next.skipped * restartInterval);
    lost += skipped;
    done += skipped;
    at = next.at;
    if (done >= mcus) return lost;
  }
}

/** Restart markers are numbered 0 to 7, over and over. A decoder skips unused markers and stops at any other. */
function nextRestart(jpeg: Uint8Array, from: number, number: number): { at: number; skipped: number } | null {
  for (let at = from; ; at = endOfCodes(jpeg, at + 2)) {
    const marker = jpeg[at + 1] ?? END;
    const skipped = (marker - 0xd0 - number) & 7;
    if (isRestart(marker) && skipped <= MAX_LOST_RESTARTS) return { at: at + 2, skipped };
    if (!isRestart(marker) && !isUnused(marker)) return null;
  }
}

/** Where the next marker is; 0xff00 is 0xff among the codes. */
function endOfCodes(jpeg: Uint8Array, from: number): number {
  for (let at = from; ; ) {
    at = jpeg.indexOf(0xff, at);
    if (at < 0) return jpeg.length;
    const next = jpeg[at + 1];
    if (next === 0) at += 2;
    else if (next === 0xff) at += 1;
    else return at;
  }
}

interface Codes {
  bytes: Uint8Array;
  length: number;
}

function codesOf(jpeg: Uint8Array, from: number, end: number): Codes {
  const bytes = new Uint8Array(end - from + LOOK_AHEAD);
  let length = 0;
  for (let at = from; at < end; at += 1) {
    const byte = jpeg[at] ?? 0;
    // Encoders may fill up with these before a marker.
    if (byte === 0xff && jpeg[at + 1] !== 0) continue;
    bytes[length] = byte;
    length += 1;
    if (byte === 0xff) at += 1;
  }
  return { bytes, length };
}

/**
 * Continues after an impossible code, as libjpeg does. If codes and MCUs then end together, one MCU is lost; otherwise all
 * of them from the fault on. A wrong DC coefficient shifts all that follow.
 */
function lostOf(plan: ScanPlan, { bytes, length }: Codes, mcus: number): number {
  const { blocks, first, last, isProgressive } = plan;
  const dcValues = [0, 0, 0, 0];
  /** In bits. */
  let at = 0;
  /** Blocks that have ended already. */
  let ended = 0;
  let firstFault = mcus;
  const next = () => {
    const byte = at >>> 3;
    const three = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
    return (three >>> (8 - (at & 7))) & 0xffff;
  };
  for (let mcu = 0; mcu < mcus; mcu += 1) {
    let isFaulty = false;
    for (const { component, dc, ac, largest } of blocks) {
      let position = first;
      if (position === 0) {
        const code = dc[next()] || NO_CODE;
        const size = code & 0xff;
        at += code >>> 8;
        const value = next() >>> (16 - size);
        at += size;
        const isNegative = value < (1 << size) >> 1;
        const dcValue = (dcValues[component] ?? 0) + (isNegative ? value - (1 << size) + 1 : value);
        if (size > MAX_SIZE || Math.abs(dcValue) > largest) return mcus - Math.min(mcu, firstFault);
        if (code === NO_CODE) isFaulty = true;
        dcValues[component] = dcValue;
        position = 1;
      }
      if (ended > 0) {
        ended -= 1;
        continue;
      }
      while (position <= last) {
        const code = ac[next()] || NO_CODE;
        at += code >>> 8;
        const run = (code & 0xff) >>> 4;
        const size = code & 15;
        if (size === 0 && run < 15) {
          if (code === NO_CODE || (run > 0 && !isProgressive)) isFaulty = true;
          else ended = (1 << run) - 1 + (next() >>> (16 - run));
          at += run;
          break;
        }
        position += run + 1;
        at += size;
      }
      if (position > last + 1) isFaulty = true;
    }
    if (isFaulty && firstFault === mcus) firstFault = mcu;
    if (at > length * 8) return mcus - Math.min(mcu, firstFault);
  }
  const isSurplus = bytes.subarray(Math.ceil(at / 8), length).some((byte) => byte !== 0);
  if (isSurplus) return Math.max(1, mcus - firstFault);
  return firstFault === mcus ? 0 : 1;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Markers that no decoder stops at. */
function isUnused(marker: number): boolean {
  return marker < 0xc0;
}
