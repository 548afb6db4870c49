import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject } from "vitest";
import { cloneDatabase } from "./database/clone-database.ts";
import { STAND_INS } from "./process/stand-ins.ts";

// This runs before any module reads the environment: each test file has its own database and data folder.
const dataDir = await mkdtemp(join(tmpdir(), "peony-data-"));
process.env.DATABASE_URL = await cloneDatabase(inject("serverUrl"));
process.env.DATA_DIR = dataDir;
process.env.LOG_LEVEL = "silent";
// The machine is busy with other tests; a site that a test starts uses its own, real limit.
process.env.DATABASE_TIMEOUT_MS = "30000";
process.env.PATH = `${STAND_INS}:${process.env.PATH}`;

afterAll(() => rm(dataDir, { recursive: true, force: true }));
