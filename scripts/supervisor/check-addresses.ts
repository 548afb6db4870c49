import type postgres from "postgres";
import { withConnection } from "#db/connection.ts";
import { DIRECT_POOLER, POOLER, TWO_DATABASES } from "./pooler.ts";

/** Throws one line about DATABASE_URL or DATABASE_DIRECT_URL. Both are the same without the latter. */
export async function checkAddresses(url: string, directUrl: string): Promise<void> {
  const isPooled = url !== directUrl;
  const setting = isPooled ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
  if (await about(setting, leadsToPooler(directUrl))) throw new Error(isPooled ? DIRECT_POOLER : POOLER);
  if (!isPooled) return;
  const direct = await about(setting, withConnection(directUrl, identify));
  if (direct !== (await withConnection(url, identify))) throw new Error(TWO_DATABASES);
}

/** Tells explain() which address an error is about. */
async function about<Result>(setting: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error) => {
    throw Object.assign(error, { setting });
  });
}

/** In transaction mode, two open connections share one of the server's, or one has several of them in turn. */
function leadsToPooler(url: string): Promise<boolean> {
  return withConnection(url, (one) =>
    withConnection(url, async (other) => {
      const own = await serverProcess(one);
      // Several times, because a busy pooler may give each the same one again; `one` twice, because it may be their turn.
      for (const asked of [other, one, one, other, one, one, other]) {
        if ((asked === one) !== ((await serverProcess(asked)) === own)) return true;
      }
      return false;
    }),
  );
}

async function serverProcess(sql: postgres.ISql): Promise<unknown> {
  const [row] = await sql.unsafe("SELECT pg_backend_pid() AS pid");
  return row?.pid;
}

/** A copy of a server has its identifier, but not the moment of its start. */
async function identify(sql: postgres.Sql): Promise<unknown> {
  const [row] =
    await sql.unsafe(`SELECT concat_ws(' ', oid, extract(epoch FROM pg_postmaster_start_time())) AS id
    FROM pg_database WHERE datname = current_database()`);
  return row?.id;
}
