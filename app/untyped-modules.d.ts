/// <reference types="vite/client" />

declare module "virtual:remix/server-build" {
  const build: import("@remix-run/node").ServerBuild;
  export = build;
}

/** The light build has no types, but the same names. */
declare module "hls.js/light" {
  export * from "hls.js";
  export { default } from "hls.js";
}
