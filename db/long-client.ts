import pg from "pg";
import { parseDatabaseUrl } from "#app/config/database-address.ts";
import { connectTimeoutMs, pgOptions } from "./adapter/driver-options.ts";

const IDLE_SECONDS = 30;
/** Each side gives up the connection within a minute when the other is gone. */
const KEEPALIVES = {
  tcp_keepalives_idle: IDLE_SECONDS,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
};

/** For connections that live for minutes or hours. The caller connects it, listens to its errors and ends it. */
export async function longClient(
  url: string,
  settings: Record<string, string | number> = {},
): Promise<pg.Client> {
  const given = await pgOptions(url);
  const own = Object.entries({ ...KEEPALIVES, ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  return new pg.Client({
    ...given,
    connectionTimeoutMillis: connectTimeoutMs(parseDatabaseUrl(url)),
    keepAlive: true,
    keepAliveInitialDelayMillis: IDLE_SECONDS * 1_000,
    options: [...(given.options === undefined ? [] : [given.options]), ...own].join(" "),
  });
}
