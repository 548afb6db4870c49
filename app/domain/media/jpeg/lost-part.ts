// Needed because libjpeg goes on after a fault and says neither where nor how much it left out: decision 137.
import { type Head, isComplete, planScan, readSegment, SCAN, type ScanPlan, word } from "./scan-plan.ts";

const END = 0xd9;
/** Lossless, hierarchical and arithmetic pictures. */
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
/** An end of a block, as libjpeg has it where no code fits: the length in bits, and the symbol. */
const NO_CODE = 17 << 8;
const MAX_SIZE = 11;
/** So many marks may be lost in a row; a number that is further ahead is a wrong one. */
const MAX_LOST_MARKS = 4;
/** Codes may be read past the end by a block. */
const LOOK_AHEAD = 512;

/**
 * The part of a JPEG, 0 to 1, that cannot be read or is read as something else: what follows an impossible code, up to
 * the next mark. Null when the kind of picture is not known here.
 */
export function lostPart(jpeg: Uint8Array): number | null {
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8) return null;
  const head: Head = {
    frame: null,
    codes: new Map(),
    quantizers: new Map(),
    interval: 0,
    leftOut: new Map(),
  };
  let lost: number | null = null;
  for (let at = 2; ; ) {
    at = endOfCodes(jpeg, at);
    const marker = jpeg[at + 1];
    if (marker === undefined || marker === END) return isComplete(head) ? lost : 1;
    if (OTHER_FRAMES.includes(marker)) return null;
    at += 2;
    if (isRestart(marker) || isUnused(marker)) continue;
    const segment = jpeg.subarray(at + 2, at + word(jpeg, at));
    at += word(jpeg, at);
    if (marker !== SCAN) {
      readSegment(head, marker, segment);
      continue;
    }
    const plan = planScan(head, segment);
    if (plan === null) return null;
    lost = Math.max(lost ?? 0, plan.isCorrection ? 0 : lostUnits(jpeg, at, plan) / plan.units);
    if (plan.isOnlyOne) return lost;
  }
}

function lostUnits(jpeg: Uint8Array, start: number, plan: ScanPlan): number {
  const { units, interval } = plan;
  let [at, done, lost] = [start, 0, 0];
  for (;;) {
    const end = endOfCodes(jpeg, at);
    const size = Math.min(interval, units - done);
    lost += lostOf(plan, codesOf(jpeg, at, end), size);
    done += size;
    if (done >= units) return lost;
    const next = nextMark(jpeg, end, done / interval - 1);
    if (next === null) return lost + units - done;
    const skipped = Math.min(units - done, next.skipped * interval);
    lost += skipped;
    done += skipped;
    at = next.at;
    if (done >= units) return lost;
  }
}

/** Marks are numbered from 0 to 7, over and over. A decoder passes over unused markers, and waits at any other. */
function nextMark(jpeg: Uint8Array, from: number, number: number): { at: number; skipped: number } | null {
  for (let at = from; ; at = endOfCodes(jpeg, at + 2)) {
    const marker = jpeg[at + 1] ?? END;
    const skipped = (marker - 0xd0 - number) & 7;
    if (isRestart(marker) && skipped <= MAX_LOST_MARKS) return { at: at + 2, skipped };
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
 * libjpeg goes on after an impossible code, and so does this. If codes and units then end together, one unit is lost;
 * otherwise all from the fault on. A wrong mean is never put right.
 */
function lostOf(plan: ScanPlan, { bytes, length }: Codes, units: number): number {
  const { blocks, first, last, isProgressive } = plan;
  const means = [0, 0, 0, 0];
  /** In bits. */
  let at = 0;
  /** Blocks that have ended already. */
  let ended = 0;
  let firstFault = units;
  const next = () => {
    const byte = at >>> 3;
    const three = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
    return (three >>> (8 - (at & 7))) & 0xffff;
  };
  for (let unit = 0; unit < units; unit += 1) {
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
        const mean = (means[component] ?? 0) + (isNegative ? value - (1 << size) + 1 : value);
        if (size > MAX_SIZE || Math.abs(mean) > largest) return units - Math.min(unit, firstFault);
        if (code === NO_CODE) isFaulty = true;
        means[component] = mean;
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
    if (isFaulty && firstFault === units) firstFault = unit;
    if (at > length * 8) return units - Math.min(unit, firstFault);
  }
  const isSurplus = bytes.subarray(Math.ceil(at / 8), length).some((byte) => byte !== 0);
  if (isSurplus) return Math.max(1, units - firstFault);
  return firstFault === units ? 0 : 1;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Markers that no decoder stops at. */
function isUnused(marker: number): boolean {
  return marker < 0xc0;
}
