import postgres from "postgres";
import { DatabaseAway, meaningOf } from "./away.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { type TransactionBody, TransactionGuard } from "./guarded-transaction.ts";
import { Sockets } from "./sockets.ts";

export interface PoolOptions {
  url: string;
  connections: number;
  /** Longest time of one statement, in milliseconds; the server cancels what takes longer. */
  statementMs: number;
  /** Also where the database gives this user sessions that only read. */
  writesAlways?: boolean;
}

/** After the server's own limit, which gives the better answer where there is a server. */
const ANSWER_MARGIN_MS = 250;
/** A transaction is a few statements. */
const TRANSACTION_FACTOR = 2.5;

interface Client {
  sql: postgres.Sql;
  sockets: Sockets;
  answeredAt: number;
}

/**
 * The driver as the query builder sees it, with what it lacks: every statement and transaction ends in time, a lost
 * connection ends its transaction for good, and while nothing answers nobody waits. Throws DatabaseAway then.
 */
export class GuardedPool {
  /** The query builder writes its own parsers here; each new client gets them. */
  readonly options = { parsers: {} as Record<string, unknown>, serializers: {} as Record<string, unknown> };
  readonly #breaker = new CircuitBreaker();
  #client: Client | null = null;

  constructor(private given: PoolOptions) {}

  /** For scripts, whose statements may take their time. Before the first query. */
  setStatementLimit(statementMs: number): void {
    this.given = { ...this.given, statementMs };
  }

  /** A statement that starts when it is awaited, as the driver's does. */
  unsafe(text: string, parameters?: never[], options?: postgres.UnsafeQueryOptions): Statement {
    const start = (client: Client) => client.sql.unsafe(text, parameters, options);
    return new Statement(
      () => this.#run(start),
      () => this.#run((client) => start(client).values()),
    );
  }

  async begin(optionsOrBody: string | TransactionBody, body?: TransactionBody): Promise<unknown> {
    const [options, run] = typeof optionsOrBody === "string" ? [optionsOrBody, body] : ["", optionsOrBody];
    if (!run) throw new TypeError("A transaction needs a body");
    const guard = new TransactionGuard();
    try {
      // Beginning is a statement like any other: who cannot even begin is told so as soon.
      return await this.#watch(this.given.statementMs + ANSWER_MARGIN_MS, ({ sql }, setLimit) =>
        sql.begin(options, (tx) => {
          if (guard.isOver) throw new DatabaseAway("Nobody waits for it any more");
          setLimit(this.given.statementMs * TRANSACTION_FACTOR);
          return guard.run(tx, run);
        }),
      );
    } finally {
      guard.end();
    }
  }

  /** Waits up to `seconds` for what is running. */
  async end(seconds: number): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.sql.end({ timeout: seconds });
    client?.sockets.destroy();
  }

  #run<Rows>(start: (client: Client) => postgres.PendingQuery<never> | Promise<Rows>): Promise<Rows> {
    return this.#watch(this.given.statementMs + ANSWER_MARGIN_MS, start as (client: Client) => Promise<Rows>);
  }

  /** `start` may give another limit, from then on. */
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
        timer = setTimeout(() => reject(Object.assign(new Error("No answer"), { code: LATE })), ms);
      };
    });
    setLimit(limitMs);
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
    }
  }

  /** Returns what to throw. */
  #judge(client: Client, error: unknown, startedAt: number): unknown {
    const isLate = (error as { code?: unknown }).code === LATE;
    // Others were answered meanwhile: the pool is busy, not away.
    const isBusy = isLate && client.answeredAt > startedAt;
    const meaning = isLate ? "unreachable" : meaningOf(error);
    if (meaning === "answer") {
      this.#answered(client);
      return error;
    }
    if (isBusy) this.#breaker.passed();
    else if (meaning === "lost") this.#retire(client);
    else if (this.#drop(client)) this.#breaker.failed();
    return new DatabaseAway("The database does not answer", { cause: error });
  }

  #answered(client: Client): void {
    client.answeredAt = performance.now();
    client.sockets.answered();
    this.#breaker.succeeded();
  }

  /**
   * The driver reuses the slot of a lost connection, and when a write was pending in it the next one never greets. So new
   * statements get a new client, and the old one ends when those that run on it have ended.
   */
  #retire(client: Client): void {
    this.#breaker.passed();
    if (this.#client !== client) return;
    this.#client = null;
    const patience = (this.given.statementMs * TRANSACTION_FACTOR) / 1000;
    void client.sql
      .end({ timeout: patience })
      .catch(() => {})
      .finally(() => client.sockets.destroy());
  }

  /** Ends the connections that hang together with the healthy ones, if there are any: the next query makes new ones. */
  #drop(client: Client): boolean {
    if (this.#client !== client) return false;
    this.#client = null;
    client.sockets.destroy();
    client.sql.end({ timeout: 0 }).catch(() => {});
    return true;
  }

  #connect(): Client {
    const { url, connections, statementMs, writesAlways } = this.given;
    const sockets = new Sockets(statementMs);
    const sql = postgres(url, {
      max: connections,
      onnotice: () => {},
      // It asks for the types of arrays when it greets, and when that fails nobody catches it: the process would end.
      fetch_types: false,
      connect_timeout: Math.ceil(statementMs / 1000),
      socket: (address: ConstructorParameters<typeof Sockets> & object) => sockets.open(address as object),
      connection: {
        statement_timeout: statementMs,
        lock_timeout: statementMs,
        idle_in_transaction_session_timeout: Math.ceil(statementMs * TRANSACTION_FACTOR),
        ...(writesAlways ? { default_transaction_read_only: "off" } : {}),
      },
    } as postgres.Options<Record<string, never>>);
    Object.assign(sql.options.parsers, this.options.parsers);
    Object.assign(sql.options.serializers, this.options.serializers);
    return { sql, sockets, answeredAt: 0 };
  }
}

const LATE = "ANSWER_TIMEOUT";

/** A statement that still waits for a connection must not run when nobody waits for it. One that runs has its limit. */
function takeBack(work: Promise<unknown> | undefined): void {
  const statement = work as { state?: unknown; cancel?: () => void } | undefined;
  if (statement?.state === null) statement.cancel?.();
}

class Statement implements PromiseLike<unknown> {
  constructor(
    private readonly rows: () => Promise<unknown>,
    /** Each row as an array. */
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
