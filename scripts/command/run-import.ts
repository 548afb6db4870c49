import { SingleBar } from "cli-progress";
import { config } from "#app/config.server.ts";
import type { Access } from "#app/domain/access/access.ts";
import { type ImportResult, importFolder } from "#app/domain/catalog/import/import-folder.server.ts";
import { givePortrait } from "#app/domain/catalog/import/import-portrait.server.ts";
import { refusalOf } from "#app/domain/media/intake/refusal.ts";
import { allowLongStatements, closeDatabase } from "#db/client.server.ts";
import { openConnection } from "#db/connection.ts";

interface ImportOptions {
  folder: string;
  isDryRun: boolean;
  access: Access;
  creator: string | null;
  /** The path of a picture of `creator`. */
  portrait: string | null;
}

/** An arbitrary constant. Concurrent imports would write the same files. */
const IMPORT_LOCK = 7_304_617;
const INTERRUPTED = 130;
const WORDS: Record<ImportResult["outcome"], string> = {
  imported: "imported",
  present: "already there",
  wouldImport: "would import",
  refused: "refused",
  passedOver: "passed over",
  warning: "warning",
};

/** Prints the progress; returns the exit code. */
export async function runImport(options: ImportOptions): Promise<number> {
  allowLongStatements();
  const lock = openConnection(config.database.url ?? "");
  const abort = new AbortController();
  const interrupt = () => abort.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const results: ImportResult[] = [];
  const screen = openScreen();
  let failure: unknown = null;
  const onResult = (result: ImportResult) => {
    results.push(result);
    if (!("reason" in result)) screen.line(lineOf(result));
  };
  try {
    const [row] = await lock`SELECT pg_try_advisory_lock(${IMPORT_LOCK}) AS is_mine`;
    if (!row?.is_mine) {
      console.error("Another import is running. Try again when it has finished.");
      return 1;
    }
    const { credited } = await importFolder(options.folder, {
      ...options,
      signal: abort.signal,
      onProgress: screen.progress,
      onResult,
    });
    const { creator, portrait, isDryRun } = options;
    if (creator !== null && portrait !== null) {
      const isCredited = credited.some((name) => name.toLowerCase() === creator.toLowerCase());
      for (const result of await importPortrait(creator, portrait, { isDryRun, isCredited }))
        onResult(result);
    }
  } catch (error) {
    if (!abort.signal.aborted) failure = error;
  } finally {
    screen.close();
    await lock.end({ timeout: 5 });
    await closeDatabase();
  }
  console.log(closingLines(results, options.isDryRun).join("\n"));
  if (failure !== null) throw failure;
  if (abort.signal.aborted) {
    console.log("Interrupted. Run it again to go on from here.");
    return INTERRUPTED;
  }
  return results.some(({ outcome }) => outcome === "refused") ? 1 : 0;
}

async function importPortrait(
  creator: string,
  path: string,
  options: Parameters<typeof givePortrait>[2],
): Promise<ImportResult[]> {
  try {
    const warning = await givePortrait(creator, path, options);
    const outcome = options.isDryRun ? "wouldImport" : "imported";
    const taken: ImportResult = { outcome, label: `portrait of ${creator}` };
    return warning === null ? [taken] : [{ outcome: "warning", label: path, reason: warning }, taken];
  } catch (error) {
    const { path: label, message } = refusalOf(error, path);
    return [{ outcome: "refused", label, reason: message }];
  }
}

/** Reasons are at the end, where they are read after thousands of lines. */
function closingLines(results: ImportResult[], isDryRun: boolean): string[] {
  const count = (outcome: ImportResult["outcome"]) =>
    results.filter((result) => result.outcome === outcome).length;
  const taken = isDryRun ? `${count("wouldImport")} would be imported` : `${count("imported")} imported`;
  const counts = [
    `${count("present")} already there`,
    `${count("refused")} refused`,
    `${count("passedOver")} passed over`,
    `${count("warning")} warnings`,
  ];
  const lines = (outcome: "passedOver" | "warning" | "refused") =>
    results.filter((result) => result.outcome === outcome).map(lineOf);
  return [...lines("passedOver"), ...lines("warning"), ...lines("refused"), [taken, ...counts].join(", ")];
}

function lineOf(result: ImportResult): string {
  const line = `${WORDS[result.outcome].padEnd(14)} ${result.label}`;
  const text = "reason" in result ? `${line}: ${result.reason}` : line;
  // A name may hold anything, a line end for example.
  return text.replace(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1));
}

/** Shows a bar on a terminal, or plain lines in a file or pipe. */
function openScreen() {
  const bar = process.stdout.isTTY
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
      console.log(text);
    },
    close: hide,
  };
}
