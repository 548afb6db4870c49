/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number;

/** The same text gives the same sequence on every machine. */
export function seededRandom(text: string): Random {
  let state = 2166136261;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

const TABLE = 256;
const MASK = TABLE - 1;

/** Smooth gradient noise in two dimensions and time, from about -1 to 1. */
export type Noise = (x: number, y: number, z: number) => number;

export function gradientNoise(random: Random): Noise {
  const order = Array.from({ length: TABLE }, (_, index) => index);
  for (let index = MASK; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
  }
  const table = new Uint8Array(TABLE * 2);
  for (let index = 0; index < table.length; index++) table[index] = order[index & MASK] ?? 0;
  const at = (index: number) => table[index] as number;

  return (x, y, z) => {
    // Plain constants: this runs a billion times, and destructuring makes it four times slower.
    const fx = Math.floor(x);
    const fy = Math.floor(y);
    const fz = Math.floor(z);
    const cx = fx & MASK;
    const cy = fy & MASK;
    const cz = fz & MASK;
    const dx = x - fx;
    const dy = y - fy;
    const dz = z - fz;
    const u = fade(dx);
    const v = fade(dy);
    const w = fade(dz);
    const a = at(cx) + cy;
    const b = at(cx + 1) + cy;
    const aa = at(a & MASK) + cz;
    const ab = at((a + 1) & MASK) + cz;
    const ba = at(b & MASK) + cz;
    const bb = at((b + 1) & MASK) + cz;
    const near = mix(
      mix(slope(at(aa), dx, dy, dz), slope(at(ba), dx - 1, dy, dz), u),
      mix(slope(at(ab), dx, dy - 1, dz), slope(at(bb), dx - 1, dy - 1, dz), u),
      v,
    );
    const far = mix(
      mix(slope(at(aa + 1), dx, dy, dz - 1), slope(at(ba + 1), dx - 1, dy, dz - 1), u),
      mix(slope(at(ab + 1), dx, dy - 1, dz - 1), slope(at(bb + 1), dx - 1, dy - 1, dz - 1), u),
      v,
    );
    return mix(near, far, w);
  };
}

export function mix(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

export function clamp(value: number, low = 0, high = 1): number {
  return Math.max(low, Math.min(high, value));
}

export function smooth(from: number, to: number, value: number): number {
  const part = clamp((value - from) / (to - from));
  return part * part * (3 - 2 * part);
}

function fade(value: number): number {
  return value * value * value * (value * (value * 6 - 15) + 10);
}

function slope(hash: number, x: number, y: number, z: number): number {
  const side = hash & 15;
  const u = side < 8 ? x : y;
  const v = side < 4 ? y : side === 12 || side === 14 ? x : z;
  return ((side & 1) === 0 ? u : -u) + ((side & 2) === 0 ? v : -v);
}
