import { clamp, mix, type Noise, type Random } from "./noise.ts";

/** Red, green and blue of linear light; 1 is paper white. */
export type Light = [number, number, number];

/** The light at a point: y from -0.5 (top) to 0.5, x in the same unit, time in seconds. */
export type Scene = (x: number, y: number, time: number) => Light;

export interface SceneTools {
  random: Random;
  noise: Noise;
  /** From darkest to lightest. */
  palette: readonly Light[];
}

export type SceneMaker = (tools: SceneTools) => Scene;

export function lightOf(hex: string): Light {
  const channel = (start: number) => (Number.parseInt(hex.slice(start, start + 2), 16) / 255) ** 2.2;
  return [channel(1), channel(3), channel(5)];
}

/** The color at a position along the palette; `position` is from 0 to 1. */
export function along(palette: readonly Light[], position: number): Light {
  const scaled = clamp(position) * (palette.length - 1);
  const index = Math.min(Math.floor(scaled), palette.length - 2);
  return blend(colorAt(palette, index), colorAt(palette, index + 1), scaled - index);
}

export function colorAt(palette: readonly Light[], index: number): Light {
  return palette[clamp(index, 0, palette.length - 1)] as Light;
}

export function blend(a: Light, b: Light, part: number): Light {
  return [mix(a[0], b[0], part), mix(a[1], b[1], part), mix(a[2], b[2], part)];
}

export function scale(a: Light, by: number): Light {
  return [a[0] * by, a[1] * by, a[2] * by];
}

export function add(a: Light, b: Light, by = 1): Light {
  return [a[0] + b[0] * by, a[1] + b[1] * by, a[2] + b[2] * by];
}

/** Rotates a point by an angle in radians. */
export function turn(x: number, y: number, angle: number): [number, number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}
