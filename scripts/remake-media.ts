import { NO_ITEM } from "#app/domain/catalog/edit/states/media-states.ts";
import { runMediaScript } from "./command/media-script.ts";

const INTERRUPTED = 130;
const PARTS = ["video", "trailer", "photos", "cover"];
const LEFT = {
  takenDown: "its video was skipped, because the item is taken down",
  losesFiles:
    "its video was skipped: no original is kept, and it has sizes or audio tracks that its MP4s lack",
  videoFirst: "its cover was skipped: run --only cover when the worker is done",
};

await runMediaScript(
  {
    name: "media:remake",
    takes: "<item> … | --all [--only cover,photos,trailer,video]",
    does: "Makes the files of items again from their originals, or from their largest stored files if no original is kept. The worker makes those of videos; when it is done, make their covers with --only cover. A video that would lose sizes or audio tracks without its original stays as it is.",
    options: {
      all: { type: "boolean", does: "all items, one after another" },
      only: { type: "string", does: `only these parts, separated by commas: ${PARTS.join(", ")}` },
    },
    hasItems: "orAll",
    check: ({ only }) =>
      partsIn(only).every((part) => PARTS.includes(part))
        ? null
        : `--only takes ${PARTS.join(", ")}, separated by commas.`,
  },
  async ({ items, values, isDryRun, isJson }) => {
    const { findNamed } = await import("#app/domain/catalog/edit/item/find-named.server.ts");
    const { listRemakable, REMADE_PARTS, remakeMedia } = await import(
      "#app/domain/catalog/originals/remake.server.ts"
    );
    const { ImportRefusal } = await import("#app/domain/media/import/refusal.ts");
    const { PictureError } = await import("#app/domain/media/picture.server.ts");
    const { VideoError } = await import("#app/domain/media/video/probe.server.ts");
    const { sweepTemporary } = await import("#app/domain/media/storage/temporary.server.ts");
    const { config } = await import("#app/config.server.ts");
    const abort = new AbortController();
    process.once("SIGINT", () => abort.abort()).once("SIGTERM", () => abort.abort());
    const only = REMADE_PARTS.filter((part) => partsIn(values.only).includes(part));
    const results: object[] = [];
    let failed = 0;
    const fail = (facts: object, label: string, problem: string) => {
      failed += 1;
      results.push({ ...facts, done: false, problem });
      if (!isJson) console.error(`unchanged  ${label}: ${problem}`);
    };
    if (!isDryRun) await sweepTemporary(config.media.workDir);
    try {
      for await (const { item, found } of wanted()) {
        if (found === null) {
          fail({ item }, item, NO_ITEM);
          continue;
        }
        const label = `${found.shortId}  ${found.title}`;
        try {
          const remade = await remakeMedia(found.id, {
            ...{ only, isDryRun, signal: abort.signal },
            leavesRefused: values.all === true,
          });
          results.push({ item, ...found, done: true, ...remade });
          if (!isJson) console.log(`${wordFor(remade)} ${label}${noteOn(remade)}`);
        } catch (error) {
          abort.signal.throwIfAborted();
          const isKnown = [ImportRefusal, PictureError, VideoError].some((kind) => error instanceof kind);
          if (!isKnown) throw error;
          fail({ item, ...found }, label, `${(error as Error).message}.`);
        }
      }
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      console.error("Interrupted. Run the command again to make the rest.");
      return INTERRUPTED;
    }
    if (isJson) console.log(JSON.stringify(results, null, 2));
    return failed === 0 ? 0 : 1;

    async function* wanted() {
      if (values.all) for await (const found of listRemakable()) yield { item: found.id, found };
      for (const item of items) yield { item, found: await findNamed(item) };
    }

    function wordFor({ parts, changedFiles, queued }: Outcome): string {
      if (parts.length === 0) return "nothing   ";
      if (isDryRun) return "would be remade";
      if (queued === "queued") return "queued    ";
      return changedFiles === 0 ? "the same  " : "remade    ";
    }
  },
);

function partsIn(only: string | boolean | undefined): string[] {
  return only === undefined ? PARTS : String(only).split(",");
}

interface Outcome {
  parts: string[];
  changedFiles: number;
  withoutOriginal: number;
  queued: "queued" | "already" | null;
  left: { because: keyof typeof LEFT } | null;
}

function noteOn({ parts, withoutOriginal, queued, left }: Outcome): string {
  const notes: string[] = [];
  const hasSource = parts.includes("photos") || parts.includes("video");
  if (queued === "already") notes.push("it is already in the worker's queue");
  else if (withoutOriginal > 0 && hasSource) {
    const what = parts.includes("photos") ? `${withoutOriginal} of its photos` : "it";
    notes.push(`no original of ${what} is kept: made from the largest stored file`);
  }
  if (left !== null) notes.push(LEFT[left.because]);
  return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}
