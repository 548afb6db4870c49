import type postgres from "postgres";
import { withConnection } from "../connection.ts";

export const SUPERUSER = "postgres";
export const SITE_ROLE = "peony";
export const SITE_DATABASE = "peony";

const RIGHTS = {
  SCHEMAS: "USAGE",
  TABLES: "SELECT, INSERT, UPDATE, DELETE",
  SEQUENCES: "USAGE, SELECT",
};

const PREPARATION_LOCK = 7_304_618;

interface Addresses {
  /** The superuser's URLs of the database "postgres" and of the site's. */
  server: string;
  database: string;
}

/** The role can only read and write the rows of all tables that the superuser will create. */
export async function prepareSiteRole({ server, database }: Addresses, password: string): Promise<void> {
  await withConnection(server, async (sql) => {
    await sql`SELECT pg_advisory_lock(${PREPARATION_LOCK})`;
    const databases = await sql`SELECT 1 FROM pg_database WHERE datname = ${SITE_DATABASE}`;
    if (databases.length === 0) await sql.unsafe(`CREATE DATABASE ${SITE_DATABASE}`);
    const roles = await sql`SELECT 1 FROM pg_roles WHERE rolname = ${SITE_ROLE}`;
    if (roles.length > 0) return;
    await withConnection(database, (site) => site.begin((transaction) => createRole(transaction, password)));
  });
}

/** In one transaction, so that an existing role has all its rights; it is created before any table. */
async function createRole(sql: postgres.TransactionSql, password: string): Promise<void> {
  // The queue's tables hide their rows from all but their owner and BYPASSRLS.
  await sql.unsafe(`CREATE ROLE ${SITE_ROLE} LOGIN BYPASSRLS PASSWORD '${password}'`);
  for (const [kind, rights] of Object.entries(RIGHTS)) {
    await sql.unsafe(`ALTER DEFAULT PRIVILEGES GRANT ${rights} ON ${kind} TO ${SITE_ROLE}`);
  }
}
