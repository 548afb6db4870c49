import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { lockFolder } from "./folder-lock.ts";

/** As BusyBox 1.36 answers. */
const BUSYBOX = `#!/bin/sh
cat >&2 <<'USAGE'
flock: unrecognized option '--conflict-exit-code'
BusyBox v1.36.1 (2024-06-10 07:11:47 UTC) multi-call binary.

Usage: flock [-sxun] FD | { FILE [-c] PROG ARGS }
USAGE
exit 1
`;

test.runIf(process.platform === "linux")(
  "a program that prints its usage instead of locking ends the start with one line",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-lock-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "flock"), BUSYBOX, { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    await expect(lockFolder(folder, undefined)).rejects.toThrow(
      /^The built-in database cannot start: .* cannot be locked \(flock: unrecognized option '--conflict-exit-code' BusyBox .* ARGS \}\): choose another DATA_DIR, or set DATABASE_URL\.$/,
    );
  },
);
