import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { extract, pack } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { emptyTarget, runBackupScript } from "#tests/support/database/backup.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

/** Their payloads together exceed the 64 MiB of one entry. */
const JOBS = 2_700;
const folder = await mkdtemp(join(tmpdir(), "peony-jobs-"));
const source = process.env.DATABASE_URL ?? "";
beforeAll(() => Promise.all([builtScript("backup"), builtScript("restore")]), 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a backlog of jobs that exceeds the memory of one piece comes back", { timeout: 300_000 }, async () => {
  await withConnection(
    source,
    (sql) => sql`SELECT count(*) FROM graphile_worker.add_jobs((SELECT array_agg(('send-mail',
      json_build_object('mailId', n, 'text', repeat('x', 25000)), NULL, now(), 7, NULL, 0, NULL)::graphile_worker.job_spec)
      FROM generate_series(1, ${JOBS}::int) n))`,
  );
  const path = join(folder, "backlog.tar");
  expect(await runBackupScript("backup", source, config.dataDir, path)).toMatchObject({ code: 0 });
  const target = await emptyTarget(folder);
  expect(await runBackupScript("restore", target.url, target.dataDir, path)).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await jobsIn(target.url)).toEqual({ jobs: JOBS, different: JOBS });
});

test("a backup of the first format, with all its jobs in one entry, is restored", {
  timeout: 120_000,
}, async () => {
  await withConnection(source, (sql) => sql`DELETE FROM graphile_worker._private_jobs`);
  await enqueue("send-mail", { mailId: "00000000-0000-4000-8000-000000000000" }, db, { afterSeconds: 60 });
  const [path, older] = [join(folder, "newer.tar"), join(folder, "older.tar")];
  await runBackupScript("backup", source, config.dataDir, path);
  await writeFirstFormat(path, older);
  const target = await emptyTarget(folder);
  expect(await runBackupScript("restore", target.url, target.dataDir, older)).toMatchObject({ code: 0 });
  expect(await jobsIn(target.url)).toEqual({ jobs: 1, different: 1 });
});

async function jobsIn(url: string) {
  const [counts] = await withConnection(
    url,
    (sql) => sql`SELECT count(*)::int AS jobs, count(DISTINCT payload::jsonb ->> 'mailId')::int AS different
      FROM graphile_worker._private_jobs`,
  );
  return counts;
}

async function writeFirstFormat(from: string, to: string): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(to));
  const entries = extract();
  const read = pipeline(createReadStream(from), entries);
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const { name } = entry.header;
    const body = Buffer.concat(chunks)
      .toString("latin1")
      .replace(/"format":\d/, '"format":1');
    tar.entry(
      { name: name.replace("jobs/000001.json.gz", "jobs.json.gz") },
      name === "backup.json" ? body : Buffer.concat(chunks),
    );
  }
  tar.finalize();
  await Promise.all([read, written]);
}
