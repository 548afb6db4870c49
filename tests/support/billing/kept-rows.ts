import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

interface Person {
  id: string;
  email: string;
  customerId: string;
}

type Row = Record<string, unknown>;

/** All rows of a person that events can change, at one point in time. */
export type KeptRows = Record<(typeof TABLES)[number]["name"] | "card", Row[]>;

const TABLES = [
  { name: "subscriptions", of: ({ id }: Person) => sql`user_id = ${id}` },
  { name: "invoices", of: ({ id }: Person) => sql`user_id = ${id}` },
  { name: "billing_mails", of: ({ id }: Person) => sql`user_id = ${id}` },
  { name: "mail_outbox", of: ({ email }: Person) => sql`"to" = ${email}` },
  { name: "customers", of: ({ id }: Person) => sql`user_id = ${id}` },
] as const;

export async function keepRows(person: Person): Promise<KeptRows> {
  const columns = TABLES.map(
    ({ name, of }) => sql`(SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM ${sql.identifier(name)} t
      WHERE ${of(person)}) AS ${sql.identifier(name)}`,
  );
  const [kept] = await db.execute<KeptRows>(sql`SELECT ${sql.join(columns, sql`, `)},
    (SELECT jsonb_agg(jsonb_build_object('card', payment_method, 'method', billing_method)) FROM users
      WHERE id = ${person.id}) AS card`);
  if (!kept) throw new Error("Nothing was kept");
  return kept;
}

/** Restores the rows and deletes these events. */
export async function restoreRows(person: Person, kept: KeptRows, eventIds: string[]): Promise<void> {
  const [owner] = kept.card;
  const card = JSON.stringify(owner?.card ?? null);
  const emptied = TABLES.map(({ name, of }) =>
    cte(name, sql`DELETE FROM ${sql.identifier(name)} WHERE ${of(person)}`),
  );
  await db.execute(sql`WITH ${sql.join(emptied, sql`, `)}, told AS (
      UPDATE users SET payment_method = nullif(${card}::jsonb, 'null'), billing_method = ${owner?.method ?? null}
      WHERE id = ${person.id})
    DELETE FROM billing_events WHERE id = ANY(ARRAY[${sql.join(eventIds, sql`, `)}]::text[])`);
  const filled = TABLES.filter(({ name }) => kept[name].length > 0).map(({ name }) =>
    cte(
      name,
      sql`INSERT INTO ${sql.identifier(name)}
        SELECT * FROM jsonb_populate_recordset(null::${sql.identifier(name)}, ${JSON.stringify(kept[name])}::jsonb)`,
    ),
  );
  await db.execute(sql`WITH ${sql.join(filled, sql`, `)} SELECT 1`);
}

function cte(name: string, statement: SQL): SQL {
  return sql`${sql.identifier(`of_${name}`)} AS (${statement})`;
}
