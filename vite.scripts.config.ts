import { defineConfig } from "vite";

/** The programs that a host runs. Only tools of development run from their source. */
const PROGRAMS = [
  "audit-verify",
  "backup",
  "billing-price",
  "billing-providers",
  "billing-reconcile",
  "billing-sync",
  "btcpay-stand-in",
  "ccbill-stand-in",
  "check-backup",
  "check-media",
  "doctor",
  "hide-media",
  "list-media",
  "media-worker",
  "publish-media",
  "take-down-media",
  "make-picture",
  "remake-media",
  "restore",
  "retry-jobs",
  "import-media",
  "migrate",
  "move-media",
  "people-role",
  "secrets-rotate",
  "seed-demo",
  "stripe-stand-in",
  "supervise",
  "web",
  "worker",
];

/**
 * Bundles the programs and their packages into a few files: reading and compiling them one by one takes more than
 * half a second of every start. Packages with binaries or files of their own stay outside.
 */
export default defineConfig({
  build: {
    ssr: true,
    outDir: "build/scripts",
    copyPublicDir: false,
    target: "node24",
    rollupOptions: {
      input: PROGRAMS.map((name) => `scripts/${name}.ts`),
      external: ["graphile-worker", "sharp"],
      // Rollup takes a parameter for a constant when it sees only some calls: a function that another program imports
      // dynamically lost its dry run.
      treeshake: false,
    },
  },
  ssr: { noExternal: true },
});
