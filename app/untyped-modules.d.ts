/// <reference types="vite/client" />

declare module "virtual:remix/server-build" {
  const build: import("@remix-run/node").ServerBuild;
  export = build;
}

/** The package types only its index, which loads 6,000 icons. */
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  const drawing: import("@tabler/icons-react").Icon;
  export default drawing;
}
/** The light build has no types, but the same names. */
declare module "hls.js/light" {
  export * from "hls.js";
  export { default } from "hls.js";
}
