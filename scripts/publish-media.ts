import { changeEach, runMediaScript } from "./command/media-script.ts";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;

await runMediaScript(
  {
    name: "media:publish",
    takes: "<item> … [--at 2026-12-04T18:00Z]",
    does: "Publishes drafts and scheduled items, now or at a time.",
    options: {
      at: { type: "string", does: "schedule them for this date and time, with an offset or Z for UTC" },
    },
    hasItems: true,
    check: ({ at }) =>
      at === undefined || TIME.test(String(at))
        ? null
        : "--at must be a date and time with its offset from UTC, such as 2026-12-04T18:00Z or 2026-12-04T18:00+01:00.",
  },
  (command) => {
    const { at } = command.values;
    return at === undefined
      ? changeEach(command, "publish")
      : changeEach(command, "schedule", { publishAt: new Date(String(at)) });
  },
);
