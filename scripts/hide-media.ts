import { changeEach, runMediaScript } from "./command/media-script.ts";

await runMediaScript(
  {
    name: "media:hide",
    takes: "<item> … [--undo]",
    does: "Hides published and scheduled items from everybody but the staff, until they are shown again.",
    options: { undo: { type: "boolean", does: "show hidden items again, as they were" } },
    hasItems: true,
  },
  async (command) => {
    const { hideMedia, previewTransition, showMedia } = await import(
      "#app/domain/catalog/edit/transitions.server.ts"
    );
    const { actor, isDryRun, values } = command;
    const name = values.undo ? "show" : "hide";
    const change = values.undo ? showMedia : hideMedia;
    return changeEach(command, (id) => (isDryRun ? previewTransition(actor, id, name) : change(actor, id)));
  },
);
