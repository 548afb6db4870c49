import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import * as lightbox from "#app/ui/photos/lightbox/lightbox-icons.tsx";
import * as player from "#app/ui/player/player-icons.tsx";
import * as parts from "./icons.tsx";

const require = createRequire(import.meta.url);
const DRAWINGS = join(dirname(require.resolve("@tabler/icons-react")), "../../../icons/icons");

/** Tabler's name of each icon. */
const NAMES: Record<string, string> = {
  AudioIcon: "volume",
  CaptionsIcon: "badge-cc",
  CheckIcon: "check",
  CloseIcon: "x",
  DownIcon: "chevron-down",
  DownloadIcon: "download",
  ErrorIcon: "alert-circle",
  FullScreenIcon: "maximize",
  HeartIcon: "heart",
  KeyboardIcon: "keyboard",
  LeaveFullScreenIcon: "minimize",
  LockIcon: "lock",
  MenuIcon: "menu",
  MoonIcon: "moon",
  NextIcon: "chevron-right",
  NextVideoIcon: "player-skip-forward",
  PageIcon: "file-info",
  PauseIcon: "player-pause",
  PictureInPictureIcon: "picture-in-picture",
  PlayIcon: "player-play",
  PreviousIcon: "chevron-left",
  SizeIcon: "adjustments-horizontal",
  SpeedIcon: "gauge",
  SunIcon: "sun",
};
const icons: Record<string, ComponentType> = {};
for (const [name, drawn] of Object.entries({ ...parts, ...player, ...lightbox }))
  if (name.endsWith("Icon")) icons[name] = drawn as ComponentType;

test.each(Object.entries(icons))("%s is Tabler's", (name, Icon) => {
  expect(pathOf(renderToStaticMarkup(<Icon />))).toBe(pathOf(drawing(`outline/${NAMES[name]}`)));
});

test.each([
  ["heart.svg", "outline/heart"],
  ["heart-filled.svg", "filled/heart"],
  ["lock.svg", "outline/lock"],
  ["check.svg", "outline/check"],
])("the mask %s is Tabler's", (file, name) => {
  expect(pathOf(readFileSync(`app/ui/cards/${file}`, "utf8"))).toBe(pathOf(drawing(name)));
});

function drawing(name: string): string {
  return readFileSync(join(DRAWINGS, `${name}.svg`), "utf8");
}

function pathOf(svg: string): string {
  // Tabler's files begin with an invisible square.
  return [...svg.matchAll(/<path d="([^"]+)"/g)].map(([, path]) => path).join("");
}
