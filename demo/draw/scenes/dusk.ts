import { between, clamp, smooth } from "./noise.ts";
import { add, along, blend, colorAt, type SceneMaker } from "./scene.ts";

const HIGHEST_RIDGE = 0.19;

/** Ridges and water behind one another, fading into an evening sky. */
export const dusk: SceneMaker = ({ random, noise, palette }) => {
  const layers = 4 + Math.floor(random() * 5);
  const horizon = between(random, -0.28, 0.08);
  const rough = between(random, 0.6, 1.5);
  const offset = between(random, 0, 90);
  const sun = { x: between(random, -0.5, 0.5), y: horizon + between(random, -0.2, 0.02) };
  const radius = random() < 0.6 ? between(random, 0.05, 0.13) : 0;
  const reverse = random() < 0.3;

  const levelOf = (layer: number) => horizon + 0.02 + (layer / (layers - 1)) ** 1.25 * (0.46 - horizon);

  return (x, y, time) => {
    const up = clamp((horizon + 0.06 - y) / (horizon + 0.56));
    const cloud = noise(x * 0.9 + time * 0.015, y * 4 + offset, time * 0.02) * 0.07;
    let color = along(palette, reverse ? 0.5 + up * 0.45 + cloud : 0.93 - up * 0.62 + cloud);
    const far = Math.hypot(x - sun.x, y - sun.y + time * 0.0015);
    color = add(color, colorAt(palette, palette.length - 1), Math.exp(-far * far * 16) * 0.28);
    if (radius > 0)
      color = blend(color, colorAt(palette, palette.length - 1), smooth(0.003, -0.003, far - radius) * 0.85);
    for (let layer = 0; layer < layers; layer++) {
      const part = layer / (layers - 1);
      const level = levelOf(layer);
      if (y < level - HIGHEST_RIDGE) break;
      if (layer < layers - 1 && y > levelOf(layer + 1) + HIGHEST_RIDGE) continue;
      const wave = 0.7 + part * 0.9;
      const drift = time * (0.008 + part * 0.03);
      const ridge =
        noise(x * rough * wave + layer * 7.3 + offset + drift, layer * 3.1, time * 0.03) * 0.13 +
        noise(x * rough * 2.7 * wave - layer * 4.1 + drift, layer * 5.7, time * 0.02) * 0.03;
      const top = level + ridge;
      const soft = 0.0016 + part * part * 0.006;
      const mist = Math.exp(-clamp(y - top, 0, 1) * 7) * (1 - part) * 0.5;
      const hue = along(palette, 0.68 - part * 0.66 + mist * 0.35);
      color = blend(color, hue, smooth(-soft, soft, y - top));
    }
    return color;
  };
};
