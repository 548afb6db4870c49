import { count } from "#app/counts.ts";
import { sizeText } from "#app/sizes.ts";
import { progressBar } from "./command/progress-bar.ts";
import { readOptions, runCommand, UsageError } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";

const INTERRUPTED = 130;
/** Of a write in several parts. */
const PART_BYTES = 16 * 1024 * 1024;

const COMMAND = {
  name: "media:move",
  takes: "-- --to folder|store [--dry-run]",
  does: `Moves stored files to the object store that STORAGE names, or back to the data folder, while the site runs.

  --dry-run   change nothing, and print how much there is to move

Each file is copied and compared with its checksum before the site reads the copy. The other copy is deleted a week later. An interrupted
move goes on with the next run. docs/object-store.md describes both ways.`,
  failed: "The move stopped: ",
};

await runCommand(COMMAND, async () => {
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = readOptions({ to: { type: "string" }, "dry-run": flag });
  const { to } = values;
  if (positionals.length > 0 || (to !== "folder" && to !== "store")) throw new UsageError();
  return withDatabase(() => move(to, values["dry-run"]));
});

async function move(to: "folder" | "store", isDryRun: boolean): Promise<number> {
  const { config } = await import("#app/config.server.ts");
  const { closeDatabase } = await import("#db/client.server.ts");
  if (config.media.s3 === null) throw new UsageError("STORAGE names no object store.");
  if (config.media.storesIn !== to) throw new UsageError(settingFor(to));
  const { moveFiles, readMovable } = await import("#app/domain/catalog/media/move-files.server.ts");
  const abort = new AbortController();
  process.once("SIGINT", () => abort.abort()).once("SIGTERM", () => abort.abort());
  const bar = progressBar();
  try {
    const { files, bytes } = await readMovable(to);
    const requests = files + Math.ceil(bytes / PART_BYTES);
    const text = `${count(files, "file")}, ${sizeText(bytes)}`;
    if (isDryRun) {
      console.log(
        `${text} and the avatars would be moved to the ${to}, in about ${count(requests, "request")}.`,
      );
      return 0;
    }
    let [done, problems] = [0, 0];
    const moved = await moveFiles(to, {
      signal: abort.signal,
      onDone: (more) => {
        done += more;
        bar.show({ done, total: bytes });
      },
      onProblem: ({ storageKey, what }) => {
        problems += 1;
        bar.close();
        console.error(`${what.padEnd(15)} ${storageKey}`);
      },
    });
    bar.close();
    const advice = problems === 0 ? "" : " Restore what is missing or damaged, then run the command again.";
    console.log(`${count(moved, "file")} moved, ${count(problems, "problem")}.${advice}`);
    return problems === 0 ? 0 : 1;
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    bar.close();
    console.error("Interrupted. Run the command again to move the rest.");
    return INTERRUPTED;
  } finally {
    await closeDatabase();
  }
}

/** New files have to go there first, or the move would never end. */
function settingFor(to: "folder" | "store"): string {
  return to === "store"
    ? "New files still go to the folder: set STORAGE to s3:// and the bucket alone, and restart the site first."
    : "New files still go to the store: set STORAGE to folder, then a comma and the bucket, and restart the site first.";
}
