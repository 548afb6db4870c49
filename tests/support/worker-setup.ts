import { inject } from "vitest";
import { cloneDatabase } from "./database.ts";

// Before any module reads the environment: each test file runs in a database of its own.
process.env.DATABASE_URL = await cloneDatabase(inject("serverUrl"));
process.env.LOG_LEVEL = "silent";
