import { withConnection } from "#db/connection.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import { explain } from "#scripts/command/explain.ts";

/** Starts the built-in database on a folder, records the start in a table, and stops it. */
try {
  const database = await startEmbedded(process.argv[2] ?? "");
  const starts = await withConnection(database.adminUrl, async (sql) => {
    await sql`CREATE TABLE IF NOT EXISTS starts (at timestamptz)`;
    await sql`INSERT INTO starts VALUES (now())`;
    return (await sql`SELECT count(*)::int AS count FROM starts`)[0]?.count;
  });
  await database.stop();
  console.log(`starts: ${starts}`);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
