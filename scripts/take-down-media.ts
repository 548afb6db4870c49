import { changeEach, runMediaScript } from "./command/media-script.ts";

await runMediaScript(
  {
    name: "media:takedown",
    takes: '<item> … --reason "…" | --undo',
    does: "Takes items down: nobody gets their pages and files, and members see that they are gone.",
    options: {
      reason: { type: "string", does: "why; the staff and the audit log have it" },
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
