import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { config } from "#app/config.server.ts";
import * as auth from "./schema/auth.ts";
import * as billing from "./schema/billing.ts";
import * as catalog from "./schema/catalog.ts";
import * as favorites from "./schema/favorites.ts";
import * as mail from "./schema/mail.ts";
import * as viewing from "./schema/viewing.ts";

const schema = { ...auth, ...billing, ...catalog, ...favorites, ...mail, ...viewing };

const client = postgres(config.database.url ?? "", { max: config.database.pool, onnotice: () => {} });

export const db = drizzle(client, { schema });
export type Database = typeof db;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** What a domain function takes when it can run on its own or inside a caller's transaction. */
export type Executor = Database | Transaction;

export async function closeDatabase(): Promise<void> {
  await client.end({ timeout: 5 });
}
