import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { queueTrailer } from "../edit/files/trailer-step.server.ts";
import { runEncodingStep } from "./run-step.server.ts";

/** A file system on which nothing is free. */
const FULL = "/proc";
const { dir } = config.media;
afterEach(() => {
  config.media.dir = dir;
});

test("a trailer is not begun without room on the disk, which costs no try, and waits for five minutes", async () => {
  const { id } = await createVideo({ withFiles: true });
  await db.execute(sql`INSERT INTO media_trailers (media_id, from_seconds, to_seconds, version)
    VALUES (${id}, 0, 1, 0)`);
  await db.transaction((tx) => queueTrailer(tx, id));
  config.media.dir = FULL;
  const never = new AbortController().signal;
  expect(await runEncodingStep(1, { stopping: never, lost: never })).toMatchObject({
    ...{ media: id, step: "trailer", outcome: "givenBack" },
  });
  const [row] = await db.execute(sql`
    SELECT state, attempts::int AS attempts, to_json(last_lines) AS lines,
      round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM media_work WHERE media_id = ${id}`);
  const lines = [expect.stringContaining("too little free space")];
  expect(row).toEqual({ state: "waiting", attempts: 0, lines, minutes: 5 });
  expect(await runEncodingStep(1, { stopping: never, lost: never })).toBe("nothing");
});
