// Needed because the driver commits half a transaction after a lost connection, and waits without limit: decision 035.

import postgres from "postgres";
import { parseDatabaseUrl } from "#app/config/database-address.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { postgresOptions } from "./driver-options.ts";
import { type TransactionBody, TransactionGuard } from "./guarded-transaction.ts";
import { Sockets } from "./sockets.ts";
import { DatabaseUnreachable, meaningOf } from "./unreachable.ts";

export interface PoolOptions {
  url: string;
  connections: number;
  /** Longest time of one statement, in milliseconds; the server cancels a longer one. */
  statementMs: number;
  /** Writes even where the database's sessions are read-only by default. */
  writesAlways?: boolean;
  /**
   * The address leads to a pooler in transaction mode: nothing is prepared by name, and the limits are set in each
   * transaction, so each statement has one (decision 222).
   */
  isPooled?: boolean;
  /**
   * The number of statement texts, the first ones, that each connection prepares; none when left out. PostgreSQL keeps
   * one plan of a prepared statement that suits all values, and plans others for the values of each execution.
   */
  preparedStatements?: number;
}

/** Added to the server's own limit, whose error is better where there is a server. */
const ANSWER_MARGIN_MS = 250;
const TRANSACTION_FACTOR = 2.5;

/** Statements outside transactions, and whole transactions. */
export interface PoolUse {
  /** The most connections that the pool opens. */
  connections: number;
  /** Running now, waiting for a connection included. */
  running: number;
  /** Ended since the process started, and their total time. */
  ended: number;
  seconds: number;
}

interface Client {
  sql: postgres.Sql;
  sockets: Sockets;
  answeredAt: number;
}

/**
 * Wraps the driver for the query builder. Every statement and transaction has a deadline, a lost connection ends its
 * transaction for good, and queries fail fast with DatabaseUnreachable while the database is unreachable.
 */
export class GuardedPool {
  /** The query builder writes its parsers here; each new client gets them. */
  readonly options = { parsers: {} as Record<string, unknown>, serializers: {} as Record<string, unknown> };
  readonly #breaker = new CircuitBreaker();
  /** Bounded, because each connection keeps them all and some texts differ with the request. */
  readonly #prepared = new Set<string>();
  readonly #use = { running: 0, ended: 0, seconds: 0 };
  #client: Client | null = null;

  constructor(private given: PoolOptions) {}

  /** For another kind of process. Call it before the first query. */
  change(given: Partial<PoolOptions>): void {
    this.given = { ...this.given, ...given };
  }

  get use(): PoolUse {
    return { connections: this.given.connections, ...this.#use };
  }

  /** Starts when it is awaited, as the driver's own statements do. */
  unsafe(text: string, parameters?: never[]): Statement {
    return this.#statement(text, parameters, this.#isPrepared(text));
  }

  /** The same connections, whose statements are planned for their values. */
  get planned() {
    const unsafe = (text: string, parameters?: never[]) => this.#statement(text, parameters, false);
    return { options: this.options, unsafe };
  }

  async begin(optionsOrBody: string | TransactionBody, body?: TransactionBody): Promise<unknown> {
    const [options, run] = typeof optionsOrBody === "string" ? [optionsOrBody, body] : ["", optionsOrBody];
    if (!run) throw new TypeError("A transaction needs a body");
    return this.#transaction(options, run, this.given.statementMs * TRANSACTION_FACTOR);
  }

  async end(seconds: number): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.sql.end({ timeout: seconds });
    client?.sockets.destroy();
  }

  #statement(text: string, parameters: never[] | undefined, prepare: boolean): Statement {
    const start = (sql: postgres.ISql) => sql.unsafe(text, parameters, { prepare });
    return new Statement(
      () => this.#run(start),
      () => this.#run((sql) => start(sql).values()),
    );
  }

  async #transaction(options: string, body: TransactionBody, limitMs?: number): Promise<unknown> {
    const { isPooled, statementMs } = this.given;
    const guard = new TransactionGuard();
    try {
      // Beginning has the limit of one statement, so that an unreachable database is reported as soon.
      return await this.#watch(statementMs + ANSWER_MARGIN_MS, ({ sql }, setLimit) =>
        sql.begin(options, (tx) => {
          if (guard.isOver) throw new DatabaseUnreachable("Nobody waits for it any more");
          if (limitMs !== undefined) setLimit(limitMs);
          // Sent together with the body's first statement, which fails if this one does.
          if (isPooled) tx.unsafe(setLocally(this.#limits)).catch(() => {});
          return guard.run(tx, body);
        }),
      );
    } finally {
      guard.end();
    }
  }

  /** Without it the driver asks for the types of the parameters first, a round trip of its own. */
  #isPrepared(text: string): boolean {
    if (this.#prepared.size < (this.given.preparedStatements ?? 0)) this.#prepared.add(text);
    return this.#prepared.has(text);
  }

  async #run(start: (sql: postgres.ISql) => Promise<unknown>): Promise<unknown> {
    const { isPooled, statementMs, writesAlways } = this.given;
    // Its limit begins when BEGIN is answered, because the pooler may keep it waiting.
    if (isPooled)
      return this.#transaction(writesAlways ? "read write" : "", start, statementMs + ANSWER_MARGIN_MS);
    return this.#watch(statementMs + ANSWER_MARGIN_MS, ({ sql }) => start(sql));
  }

  get #limits(): Record<string, string | number> {
    const { statementMs } = this.given;
    return {
      statement_timeout: statementMs,
      lock_timeout: statementMs,
      idle_in_transaction_session_timeout: Math.ceil(statementMs * TRANSACTION_FACTOR),
      // Compiling a plan takes a tenth of a second, more than any statement of a page.
      jit: "off",
    };
  }

  async #watch<Result>(
    limitMs: number,
    start: (client: Client, setLimit: (limitMs: number) => void) => Promise<Result>,
  ): Promise<Result> {
    this.#breaker.admit();
    this.#client ??= this.#connect();
    const client = this.#client;
    const startedAt = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let setLimit: (limitMs: number) => void = () => {};
    const late = new Promise<never>((_, reject) => {
      setLimit = (ms) => {
        clearTimeout(timer);
        // An answer that arrived while this process was busy is read first.
        timer = setTimeout(
          () => setImmediate(reject, Object.assign(new Error("No answer"), { code: LATE })),
          ms,
        );
      };
    });
    setLimit(limitMs);
    this.#use.running += 1;
    let work: Promise<Result> | undefined;
    try {
      work = start(client, setLimit);
      const result = await Promise.race([work, late]);
      this.#answered(client);
      return result;
    } catch (error) {
      takeBack(work);
      throw this.#judge(client, error, startedAt);
    } finally {
      clearTimeout(timer);
      this.#use.running -= 1;
      this.#use.ended += 1;
      this.#use.seconds += (performance.now() - startedAt) / 1000;
    }
  }

  #judge(client: Client, error: unknown, startedAt: number): unknown {
    const isLate = (error as { code?: unknown }).code === LATE;
    // Others were answered meanwhile: the pool is busy, not unreachable.
    const isBusy = isLate && client.answeredAt > startedAt;
    const meaning = isLate ? "unreachable" : meaningOf(error);
    if (meaning === "answer") {
      this.#answered(client);
      return error;
    }
    if (isBusy) this.#breaker.inconclusive();
    else if (meaning === "lost") this.#retire(client);
    else if (this.#drop(client)) this.#breaker.failed();
    return new DatabaseUnreachable("The database does not answer", { cause: error });
  }

  #answered(client: Client): void {
    client.answeredAt = performance.now();
    client.sockets.answered();
    this.#breaker.succeeded();
  }

  /**
   * The driver reuses the slot of a lost connection, and with a pending write its next handshake hangs. New
   * statements get a new client, and the old one closes when its running statements have ended.
   */
  #retire(client: Client): void {
    this.#breaker.inconclusive();
    if (this.#client !== client) return;
    this.#client = null;
    const timeoutSeconds = (this.given.statementMs * TRANSACTION_FACTOR) / 1000;
    void client.sql
      .end({ timeout: timeoutSeconds })
      .catch(() => {})
      .finally(() => client.sockets.destroy());
  }

  /** Closes healthy connections too; the next query opens new ones. False when another call has done so. */
  #drop(client: Client): boolean {
    if (this.#client !== client) return false;
    this.#client = null;
    client.sockets.destroy();
    client.sql.end({ timeout: 0 }).catch(() => {});
    return true;
  }

  #connect(): Client {
    const { url, connections, statementMs, writesAlways, isPooled } = this.given;
    const address = parseDatabaseUrl(url);
    const sockets = new Sockets(address, statementMs);
    const options = postgresOptions(address);
    const sql = postgres({
      ...options,
      max: connections,
      onnotice: () => {},
      // Nothing by name then, not even the driver's own COMMIT.
      prepare: !isPooled,
      // The driver fetches array types on connecting, and a failure there would be unhandled and end the process.
      fetch_types: false,
      connect_timeout: Math.ceil(statementMs / 1000),
      socket: () => sockets.open(),
      connection: {
        ...options.connection,
        // Dates are read in this style, whatever the database is set to. Poolers keep it for each of their clients.
        datestyle: "ISO",
        ...(isPooled ? {} : this.#limits),
        ...(writesAlways && !isPooled ? { default_transaction_read_only: "off" } : {}),
      },
    } as postgres.Options<Record<string, never>>);
    Object.assign(sql.options.parsers, this.options.parsers);
    Object.assign(sql.options.serializers, this.options.serializers);
    return { sql, sockets, answeredAt: 0 };
  }
}

const LATE = "ANSWER_TIMEOUT";

function setLocally(settings: Record<string, string | number>): string {
  return Object.entries(settings)
    .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
    .join("; ");
}

/** Cancels a statement that still waits for a connection once its caller has given up. A running one has its limit. */
function takeBack(work: Promise<unknown> | undefined): void {
  const statement = work as { state?: unknown; cancel?: () => void } | undefined;
  if (statement?.state === null) statement.cancel?.();
}

class Statement implements PromiseLike<unknown> {
  constructor(
    private readonly rows: () => Promise<unknown>,
    readonly values: () => Promise<unknown>,
  ) {}

  // biome-ignore lint/suspicious/noThenProperty: the driver's own statements start when they are awaited
  then<A, B>(
    fulfilled?: ((rows: unknown) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.rows().then(fulfilled, rejected) as Promise<A | B>;
  }
}
