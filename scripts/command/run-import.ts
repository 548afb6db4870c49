import { SingleBar } from "cli-progress";
import { config } from "#app/config.server.ts";
import { count } from "#app/counts.ts";
import type { Access } from "#app/domain/access/access.ts";
import { type ImportResult, importFolder } from "#app/domain/catalog/import/import-folder.server.ts";
import { withImportLock } from "#app/domain/catalog/import/import-lock.server.ts";
import { givePortrait } from "#app/domain/catalog/import/import-portrait.server.ts";
import { IMPORT_ACTOR } from "#app/domain/catalog/import/save-imported.server.ts";
import { refusalOf } from "#app/domain/media/import/refusal.ts";
import { loadSite } from "#app/domain/site/site.server.ts";
import { allowLongStatements, closeDatabase } from "#db/client.server.ts";

interface ImportOptions {
  folder: string;
  isDryRun: boolean;
  isPublishing: boolean;
  isForced: boolean;
  isJson: boolean;
  access: Access;
  creator: string | null;
  portrait: string | null;
}

const INTERRUPTED = 130;
const WORDS: Record<ImportResult["outcome"], string> = {
  imported: "imported",
  present: "already there",
  wouldImport: "would import",
  updated: "updated",
  wouldUpdate: "would update",
  released: "published",
  wouldRelease: "would publish",
  kept: "kept",
  notPublished: "not published",
  refused: "refused",
  passedOver: "skipped",
  warning: "warning",
};

/** Returns the exit code. */
export async function runImport(options: ImportOptions): Promise<number> {
  allowLongStatements();
  const abort = new AbortController();
  const interrupt = () => abort.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const results: ImportResult[] = [];
  const screen = openScreen(options.isJson);
  let failure: unknown = null;
  const onResult = (result: ImportResult) => {
    results.push(result);
    if (!("reason" in result)) screen.line(lineOf(result));
  };
  try {
    const ended = await withImportLock(async (lost) => {
      await loadSite();
      const { credited } = await importFolder(options.folder, {
        ...options,
        actor: IMPORT_ACTOR,
        signal: AbortSignal.any([abort.signal, lost]),
        onProgress: screen.progress,
        onResult,
      });
      const { creator, portrait, isDryRun } = options;
      if (creator === null || portrait === null) return;
      const isCredited = credited.some((name) => name.toLowerCase() === creator.toLowerCase());
      for (const result of await importPortrait(creator, portrait, { isDryRun, isCredited }))
        onResult(result);
    });
    if (ended === "busy") {
      console.error("Another import is running. Try again when it has finished.");
      return 1;
    }
  } catch (error) {
    if (!abort.signal.aborted) failure = error;
  } finally {
    screen.close();
    await closeDatabase();
  }
  if (options.isJson) console.log(JSON.stringify(results, null, 2));
  else console.log(closingLines(results, options).join("\n"));
  if (failure !== null) throw failure;
  if (abort.signal.aborted) {
    if (!options.isJson) console.log("Interrupted. Run the command again to continue from here.");
    return INTERRUPTED;
  }
  return results.some(({ outcome }) => outcome === "refused" || outcome === "notPublished") ? 1 : 0;
}

async function importPortrait(
  creator: string,
  path: string,
  options: Parameters<typeof givePortrait>[2],
): Promise<ImportResult[]> {
  try {
    const warning = await givePortrait(creator, path, options);
    const outcome = options.isDryRun ? "wouldImport" : "imported";
    const imported: ImportResult = { outcome, label: `portrait of ${creator}` };
    return warning === null ? [imported] : [{ outcome: "warning", label: path, reason: warning }, imported];
  } catch (error) {
    const { path: label, message } = refusalOf(error, path);
    return [{ outcome: "refused", label, reason: message }];
  }
}

/** Reasons come last, where they are read after thousands of lines. */
function closingLines(results: ImportResult[], { isDryRun, isPublishing }: ImportOptions): string[] {
  const tally = (...outcomes: ImportResult["outcome"][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [updated, kept] = [tally("updated", "wouldUpdate"), tally("kept")];
  const counts = [
    isDryRun ? `${tally("wouldImport")} would be imported` : `${tally("imported")} imported`,
    ...(updated > 0 ? [`${updated} ${isDryRun ? "would be updated" : "updated"}`] : []),
    `${tally("present")} already there`,
    `${tally("refused")} refused`,
    `${tally("passedOver")} skipped`,
    count(tally("warning"), "warning"),
    ...(kept > 0 ? [`${kept} kept`] : []),
  ];
  const lines = (["passedOver", "warning", "kept", "notPublished", "refused"] as const).flatMap((outcome) =>
    results.filter((result) => result.outcome === outcome).map(lineOf),
  );
  const drafts = results.filter((result) => "state" in result && result.state === "draft").length;
  const videos = results.filter((result) => "kind" in result && result.kind === "video").length;
  return [
    ...lines,
    counts.join(", "),
    ...(videos === 0 || isDryRun ? [] : [workLine(videos)]),
    ...(isPublishing || drafts === 0 ? [] : [draftsLine(drafts, isDryRun)]),
  ];
}

function workLine(videos: number): string {
  const subject =
    videos === 1
      ? "1 video is ready to watch in one size."
      : `${videos} videos are ready to watch in one size each.`;
  return config.media.encodingJobs === 0
    ? `${subject} The worker on this machine makes no other sizes, because ENCODING_JOBS is 0.`
    : `${subject} The worker makes the other sizes while the site runs; the studio shows its progress.`;
}

function draftsLine(drafts: number, isDryRun: boolean): string {
  const [made, them] =
    drafts === 1
      ? [`1 draft ${isDryRun ? "would be" : "was"} created.`, "it"]
      : [`${drafts} drafts ${isDryRun ? "would be" : "were"} created.`, "them"];
  return `${made} Publish ${them} in the studio, or import with --publish.`;
}

function lineOf(result: ImportResult): string {
  const line = `${WORDS[result.outcome].padEnd(14)} ${result.label}`;
  const text = line + detailOf(result);
  // A name may contain anything, such as a line break.
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

function detailOf(result: ImportResult): string {
  if ("reason" in result) return `: ${result.reason}`;
  if ("fields" in result) return `: ${result.fields.join(", ")}`;
  return "state" in result && result.state === "scheduled" ? " (scheduled)" : "";
}

function openScreen(isQuiet: boolean) {
  const bar =
    process.stdout.isTTY && !isQuiet
      ? new SingleBar({
          format: "{bar} {percentage}% {item} of {items}  {label}",
          clearOnComplete: true,
          hideCursor: true,
        })
      : null;
  let isShown = false;
  const hide = () => {
    if (isShown) bar?.stop();
    isShown = false;
  };
  return {
    progress({ index, total, label, part }: { index: number; total: number; label: string; part: number }) {
      const payload = { item: index + 1, items: total, label };
      if (!isShown) bar?.start(total, index + part, payload);
      else bar?.update(index + part, payload);
      isShown = true;
    },
    line(text: string) {
      hide();
      if (!isQuiet) console.log(text);
    },
    close: hide,
  };
}
