import { parseArgs } from "node:util";
import type { TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import type {
  TransitionDetails,
  TransitionResult,
} from "#app/domain/catalog/edit/states/transitions.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { migrateUnlessDry } from "#db/migrations/migrate.ts";
import { explain } from "./explain.ts";
import { withDatabase } from "./with-database.ts";

type Values = Record<string, string | boolean | undefined>;

interface MediaScript {
  /** The npm script, as "media:hide". */
  name: string;
  /** The arguments after the name, as "<item> …". */
  takes: string;
  /** A sentence. */
  does: string;
  /** Options besides --json, --dry-run and --help, with what each does. */
  options?: Record<string, { type: "string" | "boolean"; does: string }>;
  /** "orAll": `--all` may stand in their place. */
  hasItems: boolean | "orAll";
  /** Null without a problem with the values. */
  check?: (values: Values) => string | null;
}

interface MediaCommand {
  actor: Actor;
  items: string[];
  values: Values;
  isDryRun: boolean;
  isJson: boolean;
}

/**
 * Runs a script about media and ends the process. The exit code is the script's own, 1 with a line for a failure, or 2 for
 * a wrong command line. `run` must import what reads the configuration, which is complete only then.
 */
export async function runMediaScript(
  script: MediaScript,
  run: (command: MediaCommand) => Promise<number>,
): Promise<never> {
  // process.exitCode is not enough: open connections would keep the process running.
  process.exit(await codeOf(script, run));
}

async function codeOf(script: MediaScript, run: (command: MediaCommand) => Promise<number>): Promise<number> {
  const read = readArguments(script);
  if ("problem" in read) {
    console.error(`${read.problem} See npm run ${script.name} -- --help.`);
    return 2;
  }
  const { values, items } = read;
  if (values.help) {
    console.log(usageOf(script));
    return 0;
  }
  const isDryRun = values["dry-run"] === true;
  const actor = { id: null, name: script.name, role: "owner" } as const;
  try {
    return await withDatabase(async (url) => {
      await migrateUnlessDry(url, isDryRun);
      const { closeDatabase } = await import("#db/client.server.ts");
      const { loadSite } = await import("#app/domain/site/site.server.ts");
      try {
        await loadSite();
        return await run({ actor, items, values, isDryRun, isJson: values.json === true });
      } finally {
        await closeDatabase();
      }
    });
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}

function readArguments(script: MediaScript): { values: Values; items: string[] } | { problem: string } {
  const own = Object.entries(script.options ?? {}).map(([name, { type }]) => [name, { type }] as const);
  const common = ["json", "dry-run", "help"].map((name) => [name, { type: "boolean" }] as const);
  try {
    const { values, positionals } = parseArgs({
      options: Object.fromEntries([...common, ...own]),
      allowPositionals: script.hasItems !== false,
    });
    if (values.help) return { values, items: [] };
    if (values.all && positionals.length > 0) return { problem: "Give items or --all, not both." };
    if (script.hasItems && !values.all && positionals.length === 0) return { problem: "No item was given." };
    const problem = script.check?.(values) ?? null;
    return problem === null ? { values, items: positionals } : { problem };
  } catch (error) {
    const [said = ""] = error instanceof Error ? error.message.split(/\.(?:\s|$)|\n/, 1) : [];
    return { problem: `${said}.` };
  }
}

function usageOf({ name, takes, does, options = {}, hasItems }: MediaScript): string {
  const lines = [
    ...Object.entries(options).map(([option, { type, does: text }]) => [
      `--${option}${type === "string" ? " …" : ""}`,
      text,
    ]),
    ["--json", "print JSON, for programs"],
    ["--dry-run", "write nothing, and say what would be done"],
  ];
  const items = hasItems
    ? ["An item is its address on the site, the end of that address, or its id.", ""]
    : [];
  return [
    `Usage: npm run ${name} -- ${takes}`,
    "",
    does,
    ...items,
    ...lines.map(([option = "", text]) => `  ${option.padEnd(14)} ${text}`),
  ].join("\n");
}

/** Changes the state of each item alone. Returns the exit code: 1 when one could not be changed. */
export async function changeEach(
  { actor, items, isDryRun, isJson }: MediaCommand,
  name: TransitionName,
  details: TransitionDetails = {},
): Promise<number> {
  const { findNamed } = await import("#app/domain/catalog/edit/item/find-named.server.ts");
  const { changeState, previewTransition } = await import(
    "#app/domain/catalog/edit/states/transitions.server.ts"
  );
  const change = isDryRun ? previewTransition : changeState;
  const results = [];
  for (const item of items) {
    const found = await findNamed(item);
    const result: TransitionResult = found
      ? await change(actor, found.id, name, details)
      : { done: false, problem: "There is no such item." };
    results.push({ item, ...found, ...result });
    if (isJson) continue;
    const label = found ? `${found.shortId}  ${found.title}` : item;
    if (result.done) console.log(`${isDryRun ? "would be " : ""}${result.state.padEnd(10)} ${label}`);
    else console.error(`unchanged  ${label}: ${result.problem}`);
  }
  if (isJson) console.log(JSON.stringify(results, null, 2));
  return results.every(({ done }) => done) ? 0 : 1;
}
