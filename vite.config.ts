import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import packageJson from "./package.json" with { type: "json" };
import remixConfig from "./remix.config.js";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

/** Packages that run in the browser; in development, discovering one late would reload the open page. */
const IN_BROWSER = [
  "@conform-to/react",
  "@conform-to/zod/v4",
  "@mantine/core",
  "@mantine/hooks",
  "@remix-run/react",
  "react",
  "react-dom",
  "zod",
];
const MANTINE_NEEDS = [
  "@floating-ui/react",
  "clsx",
  "react-number-format",
  "react-remove-scroll",
  "react-textarea-autosize",
];

const MANTINE = /^@mantine\//;
/** These are bundled into one file with only their used parts: loading them whole takes a second of every start. */
const LARGE = ["stripe", "zod", "remix-themes", /^drizzle-orm/];

export default defineConfig(({ command }) => ({
  plugins: [remix(remixConfig)],
  build: {
    target: "es2022",
    sourcemap: false,
    // Smaller files cost the lists more bytes than they save, because each is compressed apart.
    rollupOptions: { output: { experimentalMinChunkSize: 4_000 } },
  },
  ssr: { noExternal: command === "build" ? [MANTINE, ...LARGE] : [MANTINE] },
  server: { host: "127.0.0.1" },
  optimizeDeps: {
    include: [
      ...IN_BROWSER,
      ...MANTINE_NEEDS.map((name) => `@mantine/core > ${name}`),
      "remix-themes/build/theme-provider.js",
    ],
    // Routes import the other packages in parts that never reach the browser.
    exclude: Object.keys(packageJson.dependencies).filter(
      (name) => !IN_BROWSER.some((needed) => needed.startsWith(name)),
    ),
  },
}));
