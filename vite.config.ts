import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import remixConfig from "./remix.config.js";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [remix(remixConfig)],
  build: { target: "es2022", sourcemap: false },
  // Bundled, so that the server loads what is used of it: all of it takes a second of every start.
  ssr: { noExternal: [/^@mantine\//] },
  server: { host: "127.0.0.1" },
});
