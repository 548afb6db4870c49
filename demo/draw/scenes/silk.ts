import { between, clamp } from "./noise.ts";
import { add, along, colorAt, type SceneMaker, scale, turn } from "./scene.ts";

/** Cloth in raking light: long folds that bend, gather and fall. */
export const silk: SceneMaker = ({ random, noise, palette }) => {
  const angle = between(random, -1.3, 1.3);
  const folds = between(random, 5, 11);
  const gather = between(random, 0.5, 1.3);
  const size = between(random, 0.75, 1.5);
  const lamp = between(random, 0.35, 1.1) * (random() < 0.5 ? -1 : 1);
  const offset = between(random, 0, 90);
  const tone = between(random, -0.08, 0.12);

  const height = (x: number, y: number, time: number) => {
    const bend = noise(x * 0.9 + offset, y * 0.7, time * 0.06) * gather;
    const slow = noise(x * 0.5, y * 1.6 + offset, time * 0.05 + 7);
    const phase = (y + bend) * folds + slow * 3.2;
    return (
      Math.sin(phase) * 0.09 +
      Math.sin(phase * 0.47 + x * 2.1 + 1.3) * 0.1 +
      Math.sin(phase * 1.9 + 0.6) * 0.018 * (1 + slow)
    );
  };

  return (x0, y0, time) => {
    const [x, y] = turn(x0 * size, y0 * size, angle);
    const step = 0.004;
    const here = height(x, y, time);
    const dx = (height(x + step, y, time) - here) / step;
    const dy = (height(x, y + step, time) - here) / step;
    const length = 1 / Math.hypot(dx, dy, 1);
    const lit = 0.5 + 0.5 * Math.tanh(((dx * 0.35 + dy * lamp + 0.72) * length - 0.42) * 1.5);
    const sheen = clamp((dy * 0.52 * Math.sign(lamp) + dx * 0.3 + 0.8) * length) ** 22;
    const depth = clamp(here * 2.2 + 0.55);
    const cloth = scale(along(palette, lit * 0.78 + depth * 0.16 + tone), 0.45 + lit * 0.65);
    return add(cloth, colorAt(palette, palette.length - 1), sheen * 0.34);
  };
};
