// Needed because postgres.js goes on with a transaction whose connection is lost: decision 035.

import type postgres from "postgres";
import { DatabaseUnreachable, meaningOf } from "./unreachable.ts";

type TransactionSql = postgres.TransactionSql;
export type TransactionBody = (tx: TransactionSql) => Promise<unknown>;

/**
 * Stops a transaction's body after its connection is lost. The driver rejects begin(), but the body goes on: its next
 * statement would be committed alone on the replacement connection (porsager/postgres#1216), and the driver's
 * rollback would be written to a dead socket, which ends the process.
 */
export class TransactionGuard {
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Called after begin() has settled, or once a statement has found the connection lost. */
  end(): void {
    this.#isOver = true;
  }

  /** Runs the body. After a lost connection it never settles, so that the driver does nothing more. */
  async run(tx: TransactionSql, body: TransactionBody): Promise<unknown> {
    try {
      const result = await body(this.#guard(tx));
      return this.#isOver ? await never() : result;
    } catch (error) {
      if (this.#isOver) return never();
      throw error;
    }
  }

  #guard(tx: TransactionSql): TransactionSql {
    return new Proxy(tx, {
      apply: () => {
        throw new TypeError("Statements of a transaction go through unsafe()");
      },
      get: (target, name, receiver) => {
        if (name === "unsafe") return this.#unsafe(target);
        if (name === "savepoint") return (body: TransactionBody) => this.#savepoint(target, body);
        return Reflect.get(target, name, receiver);
      },
    });
  }

  #unsafe(tx: TransactionSql): TransactionSql["unsafe"] {
    return ((...given: Parameters<TransactionSql["unsafe"]>) => {
      this.#refuseWhenOver();
      const statement = tx.unsafe(...given);
      // catch() starts the statement, as the caller is about to do, and learns of a lost connection first.
      statement.catch((error: unknown) => {
        if (meaningOf(error) !== "answer") this.end();
      });
      return statement;
    }) as TransactionSql["unsafe"];
  }

  async #savepoint(tx: TransactionSql, body: TransactionBody): Promise<unknown> {
    this.#refuseWhenOver();
    return tx.savepoint((inner) => this.run(inner, body));
  }

  #refuseWhenOver(): void {
    if (this.#isOver) throw new DatabaseUnreachable("The transaction is over");
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
