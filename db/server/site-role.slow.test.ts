import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate.ts";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.ts";

let folder: string;
let database: EmbeddedDatabase;
let site: postgres.Sql;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-site-role-"));
  database = await startEmbedded(folder);
  await migrateDatabase(database.adminUrl);
  site = postgres(database.url, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await site.end();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the site's role is no superuser and owns no table", async () => {
  const [role] = await site`SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication
    FROM pg_roles WHERE rolname = current_user`;
  expect(role).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false });
  expect(await site`SELECT 1 FROM pg_tables WHERE tableowner = current_user`).toEqual([]);
});

test.each([
  "SELECT rolpassword FROM pg_authid",
  "COPY (SELECT 1) TO PROGRAM 'true'",
  "COPY (SELECT 1) TO '/tmp/peony-site-role'",
  "SELECT pg_read_file('/etc/hostname')",
  "CREATE EXTENSION hstore",
  "CREATE TABLE public.mine (one int)",
  "CREATE SCHEMA mine",
  "ALTER TABLE media ADD COLUMN mine int",
  "DROP TABLE media",
  "TRUNCATE users CASCADE",
  "ALTER SYSTEM SET log_statement = 'all'",
  "CREATE ROLE mine SUPERUSER",
  "ALTER ROLE peony SUPERUSER",
])("the site's role is refused: %s", async (statement) => {
  await expect(site.unsafe(statement)).rejects.toThrow(/permission denied|must be owner/);
});

test.each(["UPDATE audit_log SET actor = 'somebody'", "DELETE FROM audit_log", "TRUNCATE audit_log"])(
  "the site's role adds to the audit log and is refused: %s",
  async (statement) => {
    await site`INSERT INTO audit_log (actor, action, subject_kind, subject_id) VALUES ('x', 'role.changed', 'user', 'y')`;
    await expect(site.unsafe(statement)).rejects.toThrow(/append-only|permission denied/);
  },
);

test("the site's role may change rows in every table, the queue's included", async () => {
  const [rights] = await site`SELECT count(*)::int AS tables,
      count(*) FILTER (WHERE NOT has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT')
        OR NOT has_table_privilege(format('%I.%I', schemaname, tablename), 'INSERT')
        OR NOT has_table_privilege(format('%I.%I', schemaname, tablename), 'UPDATE')
        OR NOT has_table_privilege(format('%I.%I', schemaname, tablename), 'DELETE'))::int AS closed
    FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
  expect(rights?.tables).toBeGreaterThan(20);
  expect(rights?.closed).toBe(0);
  await site`SELECT graphile_worker.add_job('send-mail')`;
  expect(await site`SELECT task_identifier FROM graphile_worker.jobs`).toEqual([
    { task_identifier: "send-mail" },
  ]);
});
