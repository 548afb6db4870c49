import { resolve } from "node:path";
import { databaseAddresses } from "#app/config/database-addresses.ts";
import { readSettings } from "#app/config/settings.ts";
import { withConnection } from "#db/connection.ts";
import { requireSupportedSchema } from "#db/migrations/schema-state.ts";
import { hasEmbeddedDatabase, startEmbedded } from "#db/server/embedded.ts";
import { prepareDataFolder } from "../supervisor/data-folder.ts";
import { findPaymentSettings } from "../supervisor/payment-settings.ts";
import { requireNoRealDatabase, requireNoRealSite } from "../supervisor/real-site.ts";
import { loadEnv } from "./load-env.ts";

/**
 * Loads the site's settings into the environment, so the configuration must be loaded after this. `run`
 * receives the address for migrations. Refuses a real site's data when APP_URL is missing, and a schema that
 * this build does not support.
 */
export async function withDatabase<Result>(
  run: (adminUrl: string) => Promise<Result>,
  {
    takesAnySchema = false,
    makesDatabase = false,
  }: { takesAnySchema?: boolean; makesDatabase?: boolean } = {},
): Promise<Result> {
  loadEnv();
  // Before anything is created; the configuration itself is loaded once the database has an address.
  const dataDir = resolve(readSettings(process.env).DATA_DIR);
  Object.assign(process.env, findPaymentSettings(dataDir, process.env));
  const { directUrl } = databaseAddresses(process.env);
  const isDemo = !process.env.APP_URL;
  if (isDemo) requireNoRealSite(dataDir);
  if (!directUrl && !makesDatabase && !hasEmbeddedDatabase(dataDir)) {
    throw new Error(
      `There is no database in ${dataDir}: correct DATA_DIR, or start the site once to create it.`,
    );
  }
  prepareDataFolder(dataDir);
  const check = async (url: string) => {
    if (isDemo) await withConnection(url, requireNoRealDatabase);
    if (!takesAnySchema) await withConnection(url, requireSupportedSchema);
  };
  if (directUrl) {
    await check(directUrl).catch((error: Error) => {
      throw process.env.DATABASE_DIRECT_URL
        ? Object.assign(error, { setting: "DATABASE_DIRECT_URL" })
        : error;
    });
    return run(directUrl);
  }
  const database = await startEmbedded(dataDir);
  Object.assign(process.env, { DATABASE_URL: database.url, DATABASE_PASSWORD: "" });
  try {
    await check(database.url);
    return await run(database.adminUrl);
  } finally {
    await database.stop();
  }
}
