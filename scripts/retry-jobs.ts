import { readFlag, runCommand } from "./command/run-command.ts";
import { withSite } from "./command/with-site.ts";

await runCommand({ name: "jobs:retry", takes: "[-- --json]" }, async () => {
  const isJson = readFlag("--json");
  return withSite({}, async () => {
    const { retryFailedJobs } = await import("#app/domain/jobs/queue.server.ts");
    const { retried, dropped } = await retryFailedJobs();
    if (isJson) console.log(JSON.stringify({ retried, dropped }));
    else console.log(sentence(retried, dropped));
    return 0;
  });
});

function sentence(retried: number, dropped: number): string {
  if (retried + dropped === 0) return "There are no failed jobs.";
  const were = dropped === 1 ? "was" : "were";
  const others =
    dropped === 0 ? "" : ` ${dropped} more ${were} dropped, because the schedule queues such jobs anyway.`;
  return `${retried} failed ${retried === 1 ? "job was" : "jobs were"} queued again.${others}`;
}
