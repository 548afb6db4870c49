import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

const POLL_MS = 25;

interface Ended {
  code: number | null;
  output: string;
}

export interface Migration {
  ended: Promise<Ended>;
  /** Whether it has said that it waits for a lock. */
  hasWaited(): boolean;
}

/** Observes how long anybody waits for a table of a database. */
export class LockWatch {
  readonly sql: postgres.Sql;
  readonly #blocker: postgres.Sql;
  #isRunning = false;
  #watching: Promise<void> = Promise.resolve();
  #longestMs = 0;

  constructor(url: string) {
    this.sql = postgres(url, { max: 1, onnotice: () => {} });
    this.#blocker = postgres(url, { max: 1, onnotice: () => {} });
  }

  get longestWaitMs(): number {
    return Math.round(this.#longestMs);
  }

  start(): void {
    this.#isRunning = true;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#watching;
    await Promise.all([this.sql.end(), this.#blocker.end()]);
  }

  /**
   * Starts a migration while a transaction that has read `table` is idle, until `ms` after the migration has said that
   * it waits. Returns how it ended, and whether that was after the transaction.
   */
  async whileBlocked(
    table: string,
    ms: number,
    start: () => Migration,
  ): Promise<Ended & { hasWaited: boolean }> {
    const { migration, endedFirst } = await this.#blocker.begin(async (transaction) => {
      await transaction`SELECT 1 FROM ${transaction(table)} LIMIT 1`;
      const started = start();
      let hasEnded = false;
      void started.ended.then(() => {
        hasEnded = true;
      });
      while (!hasEnded && !started.hasWaited()) await sleep(POLL_MS);
      await Promise.race([sleep(ms), started.ended]);
      return { migration: started, endedFirst: hasEnded };
    });
    return { ...(await migration.ended), hasWaited: migration.hasWaited() && !endedFirst };
  }

  async #watch(): Promise<void> {
    while (this.#isRunning) {
      const [row] = await this.sql`
        SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float8 * 1000 AS ms
        FROM pg_locks WHERE NOT granted AND locktype = 'relation'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      this.#longestMs = Math.max(this.#longestMs, row?.ms ?? 0);
      await sleep(POLL_MS);
    }
  }
}
