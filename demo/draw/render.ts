import type { LookName } from "#demo/seed/read-catalogue.server.ts";
import { looks } from "./looks.ts";
import { gradientNoise, type Random, seededRandom } from "./scenes/noise.ts";
import { lightOf, type Scene } from "./scenes/scene.ts";

export interface Frame {
  width: number;
  height: number;
  /** Seconds into the scene. */
  time: number;
  /** The strength of the grain, as a fraction of white; at least a little hides 8-bit banding. */
  grain: number;
}

/** The same look and seed always give the same scene. */
export function composeScene(look: LookName, seed: string): Scene {
  const random = seededRandom(`${look} ${seed}`);
  const { make, palettes } = looks[look];
  const palette = palettes[Math.floor(random() * palettes.length)] ?? [];
  return make({ random, noise: gradientNoise(random), palette: palette.map(lightOf) });
}

/** Returns raw 8-bit RGB. */
export function renderFrame(scene: Scene, { width, height, time, grain }: Frame, random: Random): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  const aspect = width / height;
  // Portraits show as much of a scene as landscapes do, not a narrow slice of it.
  const unit = aspect < 1 ? 1.18 / aspect ** 0.5 : 1;
  let index = 0;
  for (let row = 0; row < height; row++) {
    const y = (row + 0.5) / height - 0.5;
    for (let column = 0; column < width; column++) {
      const x = ((column + 0.5) / width - 0.5) * aspect;
      const light = scene(x * unit, y * unit, time);
      const vignette = 1 - (x * x + y * y) * 0.32;
      const speck = (random() + random() - 1) * grain + (random() - 0.5) / 255;
      for (let channel = 0; channel < 3; channel++) {
        pixels[index++] = Math.max(
          0,
          Math.min(255, (develop((light[channel] ?? 0) * vignette) + speck) * 255),
        );
      }
    }
  }
  return pixels;
}

/** Converts linear light to display values; highlights roll off as on photographic film. */
function develop(light: number): number {
  return CURVE[Math.max(0, Math.min(CURVE.length - 1, (light * CURVE.length) / BRIGHTEST)) | 0] as number;
}

const BRIGHTEST = 3;
const CURVE = Float32Array.from({ length: 16_384 }, (_, index) => bend((index * BRIGHTEST) / 16_384));

function bend(light: number): number {
  const bent = light <= 0.6 ? light : 0.6 + 0.4 * (1 - Math.exp(-(light - 0.6) / 0.4));
  return Math.max(0, bent) ** (1 / 2.2);
}
