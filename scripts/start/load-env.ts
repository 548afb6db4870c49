import { existsSync } from "node:fs";

// Imported before anything that reads the configuration. What is set outside the file wins.
if (existsSync(".env")) process.loadEnvFile(".env");
