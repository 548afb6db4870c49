import { between, clamp } from "./noise.ts";
import { add, along, type Light, type SceneMaker, scale, turn } from "./scene.ts";

/** Film burnt by light at its edges: glows, veils and out-of-focus lamps in the dark. */
export const leak: SceneMaker = ({ random, noise, palette }) => {
  const angle = between(random, -0.9, 0.9);
  const side = random() < 0.5 ? -1 : 1;
  const burn = between(random, 0.25, 0.6);
  const offset = between(random, 0, 60);
  const lamps = Array.from({ length: 3 + Math.floor(random() * 10) }, () => ({
    x: between(random, -0.85, 0.85),
    y: between(random, -0.5, 0.5),
    radius: between(random, 0.03, 0.17),
    tone: between(random, 0.45, 0.95),
    power: between(random, 0.1, 0.5),
    drift: between(random, -0.5, 0.5),
  }));

  return (x, y, time) => {
    const [u, v] = turn(x, y, angle);
    const warp = noise(u * 1.1 + offset, v * 0.9, time * 0.09);
    const veil = Math.exp(-(((v + warp * 0.35) / 0.23) ** 2));
    const edge = clamp(u * side + 0.15 + warp * 0.4 + Math.sin(time * 0.25) * 0.05);
    const deep = noise(u * 0.7, v * 1.4 + offset, time * 0.05 + 4) * 0.5 + 0.5;
    let color: Light = scale(along(palette, deep * 0.3), 0.7);
    color = add(color, along(palette, 0.4 + edge * 0.5), edge * edge * burn * 3);
    color = add(color, along(palette, 0.62 + warp * 0.3), veil * 0.34);
    for (const lamp of lamps) {
      const dx = x - lamp.x - lamp.drift * 0.05 * Math.sin(time * 0.3 + lamp.tone * 9);
      const dy = y - lamp.y - lamp.drift * 0.06 * Math.cos(time * 0.23 + lamp.power * 9);
      const far = Math.hypot(dx, dy) / lamp.radius;
      const disc = clamp((1 - far) * lamp.radius * 90) * (0.55 + 0.45 * far * far);
      color = add(
        color,
        along(palette, lamp.tone),
        (disc * 0.55 + Math.exp(-far * far * 0.5) * 0.3) * lamp.power,
      );
    }
    return color;
  };
};
