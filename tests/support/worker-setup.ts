import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject } from "vitest";
import { cloneDatabase } from "./database.ts";

// Before any module reads the environment: each test file runs in a database and a data folder of its own.
const dataDir = await mkdtemp(join(tmpdir(), "peony-data-"));
process.env.DATABASE_URL = await cloneDatabase(inject("serverUrl"));
process.env.DATA_DIR = dataDir;
process.env.LOG_LEVEL = "silent";
// The machine is busy with other tests; a site that a test starts has its own, real limit.
process.env.DATABASE_TIMEOUT_MS = "30000";

afterAll(() => rm(dataDir, { recursive: true, force: true }));
