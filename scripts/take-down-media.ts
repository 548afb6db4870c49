import { changeEach, runMediaScript } from "./command/media-script.ts";

await runMediaScript(
  {
    name: "media:takedown",
    takes: '<item> … --reason "…" | --undo',
    does: "Takes items down: nobody can open their pages or files, and members see that they are gone.",
    options: {
      reason: { type: "string", does: "why, for the staff and the audit log" },
      undo: { type: "boolean", does: "bring back items that were taken down, as they were" },
    },
    hasItems: true,
    check: ({ reason, undo }) =>
      (reason === undefined) === (undo === undefined)
        ? "Give --reason, or --undo to bring items back."
        : null,
  },
  (command) => {
    const { reason, undo } = command.values;
    return undo
      ? changeEach(command, "bringBack")
      : changeEach(command, "takeDown", { reason: String(reason) });
  },
);
