import type { Pixels } from "./pixels.server.ts";

/** Colors that a PNG or an AVIF declares by numbers. sharp reads only profiles. */
export interface NamedColor {
  isHdr: boolean;
  /** Turns a stored value into linear light, both from 0 to 1. */
  light: (value: number) => number;
  primaries: Primaries;
}

/** The chromaticities of red, green, blue and white. */
type Primaries = readonly [Point, Point, Point, Point];
type Point = readonly [x: number, y: number];
type Row = [number, number, number];
type Matrix = [Row, Row, Row];

const D65: Point = [0.3127, 0.329];
const SRGB: Primaries = [[0.64, 0.33], [0.3, 0.6], [0.15, 0.06], D65];
/** By their numbers in ITU-T H.273. Other numbers are treated as sRGB. */
const PRIMARIES: Record<number, Primaries> = {
  9: [[0.708, 0.292], [0.17, 0.797], [0.131, 0.046], D65],
  11: [
    [0.68, 0.32],
    [0.265, 0.69],
    [0.15, 0.06],
    [0.314, 0.351],
  ],
  12: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], D65],
};
const LIGHTS: Record<number, (value: number) => number> = {
  4: (value) => value ** 2.2,
  5: (value) => value ** 2.8,
  8: (value) => value,
};
const HDR = [16, 18];
const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** gAMA and cHRM store numbers times this. */
const UNIT = 100_000;
const LARGEST_GAMMA = 100 * UNIT;

/** `head`: the beginning of the file. Null for sRGB, and when nothing is declared. */
export function namedColor(head: Buffer): NamedColor | null {
  const color = head.subarray(0, PNG.length).equals(PNG) ? colorOfPng(head) : colorOfAvif(head);
  const isSrgb = color === null || (!color.isHdr && color.light === srgbLight && color.primaries === SRGB);
  return isSrgb ? null : color;
}

function colorOfAvif(head: Buffer): NamedColor | null {
  const at = head.indexOf("colrnclx");
  return at < 0 || at + 12 > head.length
    ? null
    : colorOfNumbers(head.readUInt16BE(at + 8), head.readUInt16BE(at + 10));
}

/** A cICP chunk wins over sRGB, and sRGB over gAMA. */
function colorOfPng(head: Buffer): NamedColor | null {
  const chunks = new Map<string, Buffer>();
  for (let at = PNG.length; at + 8 <= head.length; at += 12 + head.readUInt32BE(at)) {
    const name = head.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") break;
    chunks.set(name, head.subarray(at + 8, at + 8 + head.readUInt32BE(at)));
  }
  const [cicp, gamma, points] = ["cICP", "gAMA", "cHRM"].map((name) => chunks.get(name));
  if (cicp?.length === 4) return colorOfNumbers(cicp.readUInt8(0), cicp.readUInt8(1));
  if (chunks.has("sRGB") || gamma?.length !== 4) return null;
  const value = gamma.readUInt32BE(0);
  if (value === 0 || value > LARGEST_GAMMA) return null;
  const exponent = UNIT / value;
  return { isHdr: false, light: (each) => each ** exponent, primaries: primariesIn(points) ?? SRGB };
}

function primariesIn(points: Buffer | undefined): Primaries | null {
  if (points?.length !== 32) return null;
  const point = (at: number): Point => [points.readUInt32BE(at) / UNIT, points.readUInt32BE(at + 4) / UNIT];
  const all = [point(8), point(16), point(24), point(0)] as const;
  return all.every(([x, y]) => x > 0 && y > 0 && x < 1 && y < 1) ? all : null;
}

function colorOfNumbers(primaries: number, transfer: number): NamedColor {
  return {
    isHdr: HDR.includes(transfer),
    light: LIGHTS[transfer] ?? srgbLight,
    primaries: PRIMARIES[primaries] ?? SRGB,
  };
}

function srgbLight(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const STEPS = 4096;

/** Changes the pixels in place. */
export function makeSrgb({ data }: Pixels, { light, primaries }: NamedColor): void {
  const [toRed, toGreen, toBlue] = times(inverse(toXyz(SRGB)), adapted(primaries));
  const lights = Float64Array.from({ length: 256 }, (_, value) => light(value / 255));
  const values = Uint8Array.from({ length: STEPS + 1 }, (_, step) =>
    Math.round(255 * srgbValue(step / STEPS)),
  );
  const lightAt = (at: number) => lights[data[at] ?? 0] ?? 0;
  const mixed: Row = [0, 0, 0];
  const shade = (row: Row) => values[Math.round(Math.min(1, Math.max(0, dot(row, mixed))) * STEPS)] ?? 0;
  for (let at = 0; at + 2 < data.length; at += 3) {
    mixed[0] = lightAt(at);
    mixed[1] = lightAt(at + 1);
    mixed[2] = lightAt(at + 2);
    data[at] = shade(toRed);
    data[at + 1] = shade(toGreen);
    data[at + 2] = shade(toBlue);
  }
}

function srgbValue(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

/** White stays white. */
function adapted(primaries: Primaries): Matrix {
  const [from, to] = [xyzOf(primaries[3]), xyzOf(D65)];
  return toXyz(primaries).map((row, at) =>
    row.map((value) => (value * (to[at] ?? 0)) / (from[at] ?? 1)),
  ) as Matrix;
}

function toXyz([red, green, blue, white]: Primaries): Matrix {
  const [r, g, b] = [xyzOf(red), xyzOf(green), xyzOf(blue)];
  const columns: Matrix = [
    [r[0], g[0], b[0]],
    [r[1], g[1], b[1]],
    [r[2], g[2], b[2]],
  ];
  const parts = inverse(columns).map((row) => dot(row, xyzOf(white))) as Row;
  return columns.map((row) => row.map((value, at) => value * (parts[at] ?? 0))) as Matrix;
}

function xyzOf([x, y]: Point): Row {
  return [x / y, 1, (1 - x - y) / y];
}

function dot(one: Row, other: Row): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function times(one: Matrix, other: Matrix): Matrix {
  return one.map((row) =>
    [0, 1, 2].map((at) => dot(row, other.map((each) => each[at] ?? 0) as Row)),
  ) as Matrix;
}

function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const whole = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const rows: Matrix = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  return rows.map((row) => row.map((value) => value / whole)) as Matrix;
}
