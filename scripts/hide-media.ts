import { changeEach, runMediaScript } from "./command/media-script.ts";

await runMediaScript(
  {
    name: "media:hide",
    takes: "<item> … [--undo]",
    does: "Hides published and scheduled items from everybody except the staff, until they are shown again.",
    options: { undo: { type: "boolean", does: "show hidden items again, as they were" } },
    hasItems: true,
  },
  (command) => changeEach(command, command.values.undo ? "show" : "hide"),
);
