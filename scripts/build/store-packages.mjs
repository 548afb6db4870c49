import { spawnSync } from "node:child_process";

/** Ceph's S3 gateway, for tests and benchmarks. */
export const STORE_PACKAGES = ["radosgw", "ceph-mon", "ceph-osd"];

const PROGRAMS = ["radosgw", "radosgw-admin", "ceph", "ceph-mon", "ceph-osd", "monmaptool"];

export function missingStorePrograms() {
  return PROGRAMS.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0);
}
