import { between, clamp, smooth } from "./noise.ts";
import { add, along, blend, colorAt, type SceneMaker, scale, turn } from "./scene.ts";

/** Fluted glass before colored forms: each rib bends what stands behind it. */
export const glass: SceneMaker = ({ random, noise, palette }) => {
  const angle = random() < 0.6 ? between(random, -0.12, 0.12) : between(random, -0.9, 0.9);
  const ribs = between(random, 8, 20);
  const bend = between(random, 0.08, 0.2);
  const forms = Array.from({ length: 3 + Math.floor(random() * 3) }, () => ({
    x: between(random, -0.6, 0.6),
    y: between(random, -0.4, 0.4),
    radius: between(random, 0.14, 0.38),
    tone: between(random, 0.1, 1),
    soft: between(random, 0.02, 0.16),
    phase: between(random, 0, 6),
  }));
  const ground = between(random, 0.45, 0.9);
  const fall = between(random, -0.4, 0.4);

  return (x0, y0, time) => {
    const [x, y] = turn(x0, y0, angle);
    const rib = x * ribs;
    const position = rib - Math.floor(rib) - 0.5;
    const behind = x + position * bend * 1.6 + position ** 3 * bend * 2;
    let color = along(palette, ground + y * fall + noise(behind * 1.4, y * 1.1, time * 0.08) * 0.22);
    for (const form of forms) {
      const sx = form.x + Math.sin(time * 0.22 + form.phase) * 0.11;
      const sy = form.y + Math.cos(time * 0.17 + form.phase * 1.7) * 0.08;
      const far = Math.hypot(behind - sx, y - sy) - form.radius;
      const shade = clamp(0.85 - (y - sy) * 0.7 - (behind - sx) * 0.3, 0.4, 1.3);
      color = blend(
        color,
        scale(along(palette, form.tone), shade),
        smooth(form.soft, -form.soft, far) * 0.92,
      );
    }
    const dark = 1 - Math.abs(position) ** 3 * 2.6;
    const glint =
      Math.exp(-(((position - 0.3) / 0.06) ** 2)) * 0.12 +
      Math.exp(-(((position + 0.38) / 0.03) ** 2)) * 0.06;
    return add(scale(color, dark), colorAt(palette, palette.length - 1), glint);
  };
};
