import { randomBytes } from "node:crypto";
import postgres from "postgres";

/** Returns the address of a new, migrated database on the test run's server. */
export async function cloneDatabase(serverUrl: string, template = "peony_template"): Promise<string> {
  const name = `peony_${randomBytes(6).toString("hex")}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    // PostgreSQL clones only a template without connections, so cloning is serialized.
    await admin`SELECT pg_advisory_lock(1)`;
    await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  } finally {
    await admin.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
