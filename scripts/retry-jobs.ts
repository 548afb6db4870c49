import { runStaffCommand } from "./command/staff-command.ts";

await runStaffCommand({
  usage: "npm run jobs:retry [-- --json]",
  arguments: 0,
  options: ["json"],
  run: async ({ isJson }) => {
    const { retryFailedJobs } = await import("#app/domain/jobs/queue.server.ts");
    const { retried, dropped } = await retryFailedJobs();
    if (isJson) console.log(JSON.stringify({ retried, dropped }));
    else console.log(sentence(retried, dropped));
    return 0;
  },
});

function sentence(retried: number, dropped: number): string {
  if (retried + dropped === 0) return "No job has failed for good.";
  const were = dropped === 1 ? "was" : "were";
  const others =
    dropped === 0 ? "" : ` ${dropped} more ${were} dropped, because the clock queues such jobs anyway.`;
  return `${retried} failed ${retried === 1 ? "job is" : "jobs are"} tried again.${others}`;
}
