import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { runMigrations as migrateQueue } from "graphile-worker";
import postgres from "postgres";

/** Any constant will do, as long as every migrator asks for the same one. */
const MIGRATION_LOCK = 7_304_616;
const MIGRATIONS_FOLDER = "drizzle";

/** Applies what is missing, once, however many migrators start at the same moment. */
export async function migrateDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(sql), { migrationsFolder: MIGRATIONS_FOLDER });
    await migrateQueue({ connectionString: url });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
