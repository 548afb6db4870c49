import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { fixedSql } from "./fixed-sql.ts";
import { sessions } from "./schema/auth.ts";

const written = (fragment: ReturnType<typeof fixedSql>) =>
  new PgDialect().sqlToQuery(sql`SELECT ${fragment}`);

test("a fixed fragment is one text, with its names and values in it", () => {
  const fragment = fixedSql(sql`${sessions.id} = ${1} AND state IN ${["it's", "new"]} AND ${sql`now() > x`}`);

  expect(written(fragment)).toMatchObject({
    sql: `SELECT "sessions"."id" = 1 AND state IN ('it''s', 'new') AND now() > x`,
    params: [],
  });
});
