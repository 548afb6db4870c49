import { changeEach, runMediaScript } from "./command/media-script.ts";

await runMediaScript(
  {
    name: "media:takedown",
    takes: '<item> … --reason "…" | --undo',
    does: "Takes items down: nobody gets their pages and files, and members see that they are gone.",
    options: {
      reason: { type: "string", does: "why; the staff and the audit log have it" },
      undo: { type: "boolean", does: "bring items back that were taken down, as they were" },
    },
    hasItems: true,
    check: ({ reason, undo }) =>
      (reason === undefined) === (undo === undefined)
        ? "Give --reason, or --undo to bring items back."
        : null,
  },
  async (command) => {
    const { bringBackMedia, previewTransition, takeDownMedia } = await import(
      "#app/domain/catalog/edit/transitions.server.ts"
    );
    const { actor, isDryRun, values } = command;
    const reason = String(values.reason ?? "");
    return changeEach(command, (id) => {
      if (isDryRun) return previewTransition(actor, id, values.undo ? "bringBack" : "takeDown", { reason });
      return values.undo ? bringBackMedia(actor, id) : takeDownMedia(actor, id, reason);
    });
  },
);
