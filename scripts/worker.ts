import { run, type TaskList } from "graphile-worker";
import { config } from "#app/config.server.ts";
import { cleanUpSignIn } from "#app/domain/auth/sign-in.server.ts";
import { releaseDueMedia } from "#app/domain/catalog/publishing.server.ts";
import { rankMedia } from "#app/domain/catalog/ranking.server.ts";
import { type JobName, jobPayloads } from "#app/domain/jobs/jobs.ts";
import { cleanUpOutbox, deliverMail } from "#app/domain/mail/outbox.server.ts";
import { cleanUpStreamSlots } from "#app/domain/viewing/stream-slots.server.ts";
import { allowLongStatements, closeDatabase } from "#db/client.server.ts";

const STOP_WITHIN_MS = 9_000;
const CRONTAB = `
* * * * * release-due-media ?max=1
*/10 * * * * rank-media ?max=1
*/10 * * * * clean-up ?max=1
`;

const tasks = {
  "send-mail": (payload) => deliverMail(jobPayloads["send-mail"].parse(payload).mailId),
  "release-due-media": async () => {
    await releaseDueMedia();
  },
  "rank-media": rankMedia,
  "clean-up": async () => {
    await cleanUpSignIn();
    await cleanUpOutbox();
    await cleanUpStreamSlots();
  },
} satisfies Record<JobName, TaskList[string]>;

allowLongStatements();
const runner = await run({
  connectionString: config.database.url ?? "",
  concurrency: 2,
  noHandleSignals: true,
  taskList: tasks,
  crontab: CRONTAB,
});

let isStopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);

/** Lets running jobs finish; a job that does not is taken up again by the next worker. */
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  void runner
    .stop()
    .then(closeDatabase)
    .then(() => process.exit(0));
}
