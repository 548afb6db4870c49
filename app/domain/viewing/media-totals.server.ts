import { sql } from "drizzle-orm";
import { addToTotals, totalRows, unionOf } from "#app/domain/totals/daily-totals.server.ts";
import type { Transaction } from "#db/client.server.ts";

const present = sql`SELECT m.id, m.play_count, coalesce(n.completions, 0) AS completions,
  floor(coalesce(n.watched_seconds, 0)) AS seconds
  FROM media m LEFT JOIN media_counts n ON n.media_id = m.id`;

export async function countViewing(tx: Transaction, countedOn: string): Promise<void> {
  const day = sql`${countedOn}`;
  const ofCreators = sql`risen JOIN media_creators credited ON credited.media_id = risen.id`;
  const item = { day, key: sql`id`, from: sql`risen` };
  const creator = { day, key: sql`credited.creator_id`, from: ofCreators };
  await addToTotals(tx, {
    steps: sql`risen AS MATERIALIZED (
      SELECT m.id, m.play_count - coalesce(c.plays, 0) AS plays, m.completions - coalesce(c.completions, 0) AS completions,
        (m.seconds - coalesce(c.watched_seconds, 0))::bigint AS seconds
      FROM (${present}) m LEFT JOIN counted_media c ON c.media_id = m.id
      WHERE m.play_count <> coalesce(c.plays, 0) OR m.completions <> coalesce(c.completions, 0)
        OR m.seconds <> coalesce(c.watched_seconds, 0)
    ), counted AS (
      INSERT INTO counted_media AS known (media_id, plays, completions, watched_seconds)
      SELECT id, plays, completions, seconds FROM risen
      ON CONFLICT (media_id) DO UPDATE SET plays = known.plays + excluded.plays,
        completions = known.completions + excluded.completions,
        watched_seconds = known.watched_seconds + excluded.watched_seconds
    )`,
    rows: unionOf([
      totalRows("mediaPlays", { ...item, amount: sql`plays` }),
      totalRows("mediaCompletions", { ...item, amount: sql`completions` }),
      totalRows("mediaSeconds", { ...item, amount: sql`seconds` }),
      totalRows("creatorPlays", { ...creator, amount: sql`plays` }),
      totalRows("creatorCompletions", { ...creator, amount: sql`completions` }),
      totalRows("creatorSeconds", { ...creator, amount: sql`seconds` }),
    ]),
  });
}

/** For plays that were imported with the demo: no day counts them. */
export async function passOverCounts(tx: Transaction): Promise<void> {
  await tx.execute(sql`INSERT INTO counted_media (media_id, plays, completions, watched_seconds)
    SELECT id, play_count, completions, seconds FROM (${present}) m ON CONFLICT DO NOTHING`);
}
