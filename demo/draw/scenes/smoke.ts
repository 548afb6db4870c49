import { between, clamp } from "./noise.ts";
import { add, along, type SceneMaker, turn } from "./scene.ts";

/** Threads of smoke in a dark room, lit from one side. */
export const smoke: SceneMaker = ({ random, noise, palette }) => {
  const angle = between(random, -0.8, 0.8) + (random() < 0.35 ? Math.PI / 2 : 0);
  const size = between(random, 1, 1.7);
  const centre = between(random, -0.22, 0.22);
  const width = between(random, 0.16, 0.34);
  const [ox, oy] = [between(random, 0, 80), between(random, 0, 80)];

  return (x0, y0, time) => {
    const [x, y] = turn(x0 * size, y0 * size, angle);
    const rise = y * 0.75 + time * 0.035;
    const a = noise(x * 1.2 + ox, rise * 1.2, time * 0.05);
    const b = noise(x * 1.2 + oy, rise * 1.2 + 9, time * 0.05);
    const [wx, wy] = [x * 1.1 + a * 0.85, rise + b * 0.85];
    const first = noise(wx * 1.9 + ox, wy * 1.3, time * 0.04 + 3);
    const second = noise(wx * 3.1 + first * 0.9, wy * 2.2 + oy, time * 0.05 + 8);
    const thread = (1 - clamp(Math.abs(first) * 4.2)) ** 2.2;
    const thin = (1 - clamp(Math.abs(second + first * 0.4) * 5.5)) ** 3;
    const body = Math.exp(-(((x - centre + a * 0.3) / width) ** 2));
    const haze = clamp(0.5 + first * 0.9) * body;
    const glow = haze * 0.26 + thread * body * 0.52 + thin * body * 0.3;
    const room = along(palette, 0.04 + clamp(0.3 - y0 * 0.25 + a * 0.1) * 0.14);
    return add(room, along(palette, 0.35 + glow * 0.75), glow * 1.15);
  };
};
