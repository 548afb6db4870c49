import { between, clamp, smooth } from "./noise.ts";
import { add, along, blend, colorAt, type SceneMaker, scale } from "./scene.ts";

/** A flower too near to see whole: ring upon ring of translucent petals. */
export const petal: SceneMaker = ({ random, noise, palette }) => {
  const centre = { x: between(random, -0.55, 0.55), y: between(random, -0.4, 0.45) };
  const rings = 6 + Math.floor(random() * 4);
  const spread = between(random, 0.8, 1.25);
  const light = between(random, 0, Math.PI * 2);
  const ground = between(random, 0, 0.25);
  const leaves = Array.from({ length: rings }, (_, ring) => ({
    count: 5 + Math.floor(random() * 3),
    start: random() * Math.PI * 2,
    reach: spread * (0.16 + ((rings - 1 - ring) / rings) ** 1.2 * 0.95),
    tone: 0.3 + (ring / rings) * 0.45 + between(random, -0.05, 0.08),
  }));

  return (x, y, time) => {
    const [dx, dy] = [x - centre.x, y - centre.y];
    const far = Math.hypot(dx, dy);
    const angle = Math.atan2(dy, dx);
    const sway = noise(dx * 1.5, dy * 1.5, time * 0.1) * 0.16;
    let color = scale(along(palette, ground + far * 0.08), 0.75);
    for (const [ring, leaf] of leaves.entries()) {
      const above = leaves[ring + 1];
      if (far > leaf.reach * 1.16 + 0.15 || (above && far < above.reach * 0.52)) continue;
      const breath = 1 + Math.sin(time * 0.35 - ring * 0.5) * 0.035;
      const turned = angle + leaf.start + sway * (1.4 - ring / rings) + time * 0.006 * (ring % 2 ? 1 : -1);
      const sector = (turned / (Math.PI * 2)) * leaf.count;
      const position = Math.abs(sector - Math.round(sector)) * 2;
      // Noise is sampled on a circle, because the petals would not meet at the start of the angle otherwise.
      const around = Math.cos(turned) * 1.4;
      const across = Math.sin(turned) * 1.4;
      const ruffle =
        noise(around + ring * 4.3, across, time * 0.07) * 0.07 + noise(dx * 9, dy * 9, ring) * 0.007;
      const rim = leaf.reach * breath * (1 - position ** 3.2 * 0.34) * (1 + ruffle);
      const inside = rim - far;
      if (inside < 0.003) color = scale(color, 1 - smooth(-0.14, 0.002, inside) * 0.42);
      const depth = clamp(inside / leaf.reach);
      const vein = noise(around * 9, across * 9, far * 2 + ring * 2) * 0.035;
      const facing = 0.84 + 0.2 * Math.cos(angle - light) - position * position * 0.16;
      const cup = 1.12 - depth * 0.72 + Math.exp(-inside * 75) * 0.16;
      const own = scale(along(palette, leaf.tone + (1 - depth) * 0.28 + vein), facing * cup);
      const edge = add(own, colorAt(palette, palette.length - 1), Math.exp(-((inside / 0.006) ** 2)) * 0.12);
      color = blend(color, edge, smooth(-0.002, 0.003, inside));
    }
    return color;
  };
};
