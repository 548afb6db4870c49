import "./start/load-env.ts";
import { readFile } from "node:fs/promises";
import { config } from "#app/config.server.ts";
import { listMigrations, migrateDatabase } from "#db/migrate.ts";
import { explain } from "./start/explain.ts";

try {
  await withDatabase(process.argv.includes("--status") ? printStatus : migrate);
  process.exit(0);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

async function withDatabase(run: (url: string) => Promise<void>): Promise<void> {
  if (config.database.url) return run(config.database.url);
  const { startEmbedded } = await import("#db/embedded.ts");
  const database = await startEmbedded(config.dataDir);
  try {
    await run(database.url);
  } finally {
    await database.stop();
  }
}

async function migrate(url: string): Promise<void> {
  await migrateDatabase(url);
  console.log("The database is up to date.");
}

async function printStatus(url: string): Promise<void> {
  const journal = JSON.parse(await readFile("drizzle/meta/_journal.json", "utf8"));
  for (const { name, isApplied } of await listMigrations(url, journal)) {
    console.log(`${isApplied ? "applied" : "pending"}  ${name}`);
  }
}
