import { between, clamp, smooth } from "./noise.ts";
import { add, along, blend, colorAt, type SceneMaker, scale, turn } from "./scene.ts";

/** Sheets laid over one another, each folded once, under a window's light. */
export const paper: SceneMaker = ({ random, noise, palette }) => {
  const sheets = Array.from({ length: 4 + Math.floor(random() * 4) }, (_, index) => ({
    angle: between(random, -Math.PI, Math.PI),
    edge: between(random, -0.42, 0.34),
    fold: between(random, 0.06, 0.3),
    tone: clamp(between(random, 0.05, 0.8) + index * 0.03),
    bow: between(random, -0.35, 0.35),
    drift: between(random, 0.1, 0.35),
    lean: between(random, -1, 1),
  }));
  const ground = between(random, 0.2, 0.75);
  const lamp = between(random, -1, 1);

  return (x, y, time) => {
    let color = scale(along(palette, ground), 0.8 + 0.25 * (x * lamp - y * 0.6));
    for (const sheet of sheets) {
      const [u, v] = turn(x, y, sheet.angle + Math.sin(time * 0.11 * sheet.drift * 3) * 0.06);
      const sway = Math.sin(time * 0.3 * sheet.drift + sheet.lean * 5) * 0.035;
      const inside = u - sheet.edge - sway - sheet.bow * v * v;
      const shadow = smooth(-0.17, 0.004, inside);
      if (inside < 0.0015) color = scale(color, 1 - shadow * shadow * 0.62);
      if (inside <= -0.0015) continue;
      const crease = inside - sheet.fold - v * sheet.lean * 0.22;
      const facet = smooth(-0.0025, 0.0025, crease);
      const near = 0.93 + inside * 0.6 - v * 0.22 * sheet.lean;
      const far = 0.62 + clamp(crease, 0, 0.6) * 0.85 + v * 0.2 * sheet.lean;
      const fibre = noise(x * 3, y * 3, sheet.tone * 9) * 0.02;
      const lit = near + (far - near) * facet + fibre;
      const rim = Math.exp(-((inside / 0.004) ** 2)) * 0.22;
      const own = scale(along(palette, sheet.tone), clamp(lit, 0.25, 1.25));
      const coat = add(own, colorAt(palette, palette.length - 1), rim);
      color = blend(color, coat, smooth(-0.0015, 0.0015, inside));
    }
    return color;
  };
};
