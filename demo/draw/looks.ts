import type { LookName } from "#demo/seed/read-catalogue.server.ts";
import { dusk } from "./scenes/dusk.ts";
import { glass } from "./scenes/glass.ts";
import { leak } from "./scenes/leak.ts";
import { liquid } from "./scenes/liquid.ts";
import { paper } from "./scenes/paper.ts";
import { petal } from "./scenes/petal.ts";
import type { SceneMaker } from "./scenes/scene.ts";
import { silk } from "./scenes/silk.ts";
import { smoke } from "./scenes/smoke.ts";

interface Look {
  make: SceneMaker;
  /** Each palette is "#rrggbb" values from dark to light; each video or set takes one of them. */
  palettes: string[][];
}

export const looks: Record<LookName, Look> = {
  silk: {
    make: silk,
    palettes: [
      ["#2a0a14", "#6d1730", "#b8405c", "#e79a9c", "#f8dcd2"],
      ["#241417", "#6b3a3c", "#b98376", "#e6c3b0", "#fbf0e4"],
      ["#1c0b1c", "#571a44", "#a23a6b", "#dd86a0", "#fbdfe0"],
    ],
  },
  paper: {
    make: paper,
    palettes: [
      ["#8a4a33", "#c98a68", "#e6c6a6", "#f3e4cf", "#fffaf0"],
      ["#7d6a5c", "#c4ad97", "#e8d9c6", "#f6eee2", "#fffdf8"],
      ["#6a3f47", "#c0707a", "#e7b2aa", "#f5ddd0", "#fff8f2"],
    ],
  },
  leak: {
    make: leak,
    palettes: [
      ["#0a0c14", "#3a0f1d", "#a8281f", "#f07a2a", "#ffdb98"],
      ["#070d16", "#12283f", "#7a1f4e", "#ee5a4a", "#ffc98a"],
      ["#0d0912", "#38143f", "#b3264f", "#ff8a3d", "#ffe9b8"],
    ],
  },
  liquid: {
    make: liquid,
    palettes: [
      ["#04151c", "#0d4450", "#3f3a86", "#b56bb8", "#f4d9a8"],
      ["#0a1024", "#23356f", "#2f8f9a", "#a6d6b8", "#fdf1d0"],
      ["#140a26", "#46246f", "#a14a8f", "#f08f7a", "#fde6c4"],
    ],
  },
  dusk: {
    make: dusk,
    palettes: [
      ["#101a35", "#2d4270", "#7b7fae", "#dba7a8", "#fbe0c4"],
      ["#1a1230", "#4a2f63", "#a5567d", "#ee9479", "#fddfae"],
      ["#0d2328", "#255158", "#6d9a97", "#c9c9a9", "#f8eccd"],
    ],
  },
  petal: {
    make: petal,
    palettes: [
      ["#0f2a20", "#7a1a48", "#d2447d", "#f39dbb", "#ffeaf0"],
      ["#16261f", "#8c3550", "#e27f8e", "#f9c6bf", "#fff3ea"],
      ["#1b1420", "#5e1442", "#b02a5e", "#ee7f98", "#ffdcd6"],
    ],
  },
  smoke: {
    make: smoke,
    palettes: [
      ["#060607", "#1c1c20", "#66646a", "#c3bfbd", "#fbf7f0"],
      ["#05070a", "#14202b", "#4d6a80", "#b4c8d4", "#f4f8fa"],
      ["#0a0605", "#2a1710", "#7f5340", "#d6ae94", "#fdf2e4"],
    ],
  },
  glass: {
    make: glass,
    palettes: [
      ["#3d4f8a", "#8f86c6", "#d7b2d8", "#cfe6da", "#fbf6ea"],
      ["#1f5d5a", "#6fb39f", "#c4dfbf", "#f6dfc0", "#fff7ea"],
      ["#7a2f5c", "#e0698a", "#f6b59a", "#f5dfb6", "#fffaf0"],
    ],
  },
};
