import { between, clamp } from "./noise.ts";
import { add, along, colorAt, type SceneMaker, scale } from "./scene.ts";

/** Oil on water: slow marbling with a wet shine. */
export const liquid: SceneMaker = ({ random, noise, palette }) => {
  const size = between(random, 0.7, 1.35);
  const swirl = between(random, 0.7, 1.5);
  const bands = between(random, 1.1, 2.4);
  const [ox, oy] = [between(random, 0, 80), between(random, 0, 80)];
  const lamp = between(random, 0, Math.PI * 2);
  const [lx, ly] = [Math.cos(lamp), Math.sin(lamp)];

  const field = (x: number, y: number, time: number) => {
    const a = noise(x + ox, y + oy, time * 0.07);
    const b = noise(x * 1.1 + oy, y * 1.1 - ox, time * 0.06 + 5);
    return noise(x * 0.8 + a * swirl + ox, y * 0.8 + b * swirl, time * 0.05 + 9);
  };

  return (x0, y0, time) => {
    const [x, y] = [x0 * size, y0 * size];
    const step = 0.006;
    const here = field(x, y, time);
    const dx = (field(x + step, y, time) - here) / step;
    const dy = (field(x, y + step, time) - here) / step;
    const tilt = 1 / Math.hypot(dx * 0.6, dy * 0.6, 1);
    const wave = 0.5 + 0.5 * Math.sin(here * Math.PI * 2 * bands + x * 0.8);
    const lit = 0.5 + 0.5 * Math.tanh((dx * lx + dy * ly) * 0.5 + 0.3);
    const shine = clamp(((dx * lx + dy * ly) * 0.36 + 0.8) * tilt) ** 34;
    const base = scale(along(palette, wave * 0.85 + here * 0.15), 0.25 + lit * 0.95);
    return add(base, colorAt(palette, palette.length - 1), shine * 0.5);
  };
};
