// Needed because two drivers read one URL differently: decision 132.

import { userInfo } from "node:os";
import type pg from "pg";
import type postgres from "postgres";
import { type DatabaseAddress, parseDatabaseUrl } from "#app/config/database-address.ts";
import { tlsOptions } from "./tls.ts";

const CONNECT_TIMEOUT_SECONDS = 5;

/** For the driver of the queue, of backups and of announcements. Throws a UrlProblem. */
export async function pgOptions(url: string): Promise<pg.ClientConfig> {
  const address = parseDatabaseUrl(url);
  return pgOptionsOf(address, await isEncrypted(address));
}

/** For the query builder's driver, which gets its sockets from us. */
export function postgresOptions(address: DatabaseAddress): postgres.Options<Record<string, never>> {
  const { host, port, user, password, database, options, applicationName } = address;
  return {
    host,
    port,
    ssl: false,
    ...withUser(user),
    ...(password === null ? {} : { password }),
    ...(database === null ? {} : { database }),
    connection: {
      ...(options === null ? {} : { options }),
      ...(applicationName === null ? {} : { application_name: applicationName }),
    },
  };
}

/** The drivers would each look for another: one by the id of the process, one in its environment. */
function withUser(user: string | null): { user?: string } {
  if (user !== null) return { user };
  try {
    return { user: userInfo().username };
  } catch {
    // A container may run with an id that has no name.
    return {};
  }
}

export function connectTimeoutMs({ connectTimeoutSeconds }: DatabaseAddress): number {
  return (connectTimeoutSeconds ?? CONNECT_TIMEOUT_SECONDS) * 1_000;
}

/** By the address and how it was reached: finding out again would double every connection. */
const found = new WeakMap<DatabaseAddress, boolean>();

/** With sslmode=allow or prefer, tries what libpq tries, in its order. */
export async function isEncrypted(address: DatabaseAddress): Promise<boolean> {
  const { mode } = address.tls;
  if (isUnixSocket(address) || mode === "disable") return false;
  if (mode !== "allow" && mode !== "prefer") return true;
  const known = found.get(address);
  if (known !== undefined) return known;
  const isTls = await findTls(address, mode === "prefer" ? [true, false] : [false, true]);
  found.set(address, isTls);
  return isTls;
}

export function isUnixSocket({ host }: DatabaseAddress): boolean {
  return host.startsWith("/");
}

async function findTls(address: DatabaseAddress, order: boolean[]): Promise<boolean> {
  const failures: Failure[] = [];
  // The built-in database starts without this driver.
  const { Client, DatabaseError } = (await import("pg")).default;
  for (const isTls of order) {
    const connectionTimeoutMillis = connectTimeoutMs(address);
    const client = new Client({ ...pgOptionsOf(address, isTls), connectionTimeoutMillis });
    client.on("error", () => {});
    try {
      await client.connect();
      return isTls;
    } catch (thrown) {
      const error = thrown as Error;
      failures.push({ error, isTls, isAnswer: error instanceof DatabaseError });
    } finally {
      void client.end().catch(() => {});
    }
  }
  throw failures.toSorted((one, other) => weightOf(other) - weightOf(one))[0]?.error;
}

interface Failure {
  error: Error;
  isTls: boolean;
  /** Whether the server itself has refused the user, the password or the database. */
  isAnswer: boolean;
}

const OTHER_WAY_ONLY = /pg_hba\.conf|(?:SSL|TLS|encryption).* required|connection is insecure/i;
const NO_TLS = /does not support SSL|error establishing an SSL/;

/** The attempt that came further says why; the other one often says only that it is not the server's way. */
function weightOf({ error: { message }, isTls, isAnswer }: Failure): number {
  if (isAnswer && !OTHER_WAY_ONLY.test(message)) return isTls ? 4 : 3;
  if (isTls) return NO_TLS.test(message) ? 0 : 2;
  return 1;
}

function pgOptionsOf(address: DatabaseAddress, isTls: boolean): pg.ClientConfig {
  const { host, port, user, password, database, options, applicationName, tls } = address;
  return {
    host,
    port,
    ...withUser(user),
    ...(password === null ? {} : { password }),
    ...(database === null ? {} : { database }),
    ...(options === null ? {} : { options }),
    ...(applicationName === null ? {} : { application_name: applicationName }),
    ssl: isTls ? tlsOptions(address) : false,
    ...(isTls && tls.isDirect ? { sslnegotiation: "direct" } : {}),
  };
}
