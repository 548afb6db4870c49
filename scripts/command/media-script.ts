import { problemText } from "#app/domain/catalog/edit/problems/problems.ts";
import { NO_ITEM, type TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import type {
  TransitionDetails,
  TransitionResult,
} from "#app/domain/catalog/edit/states/transitions.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { readOptions, runCommand, UsageError } from "./run-command.ts";
import { withSite } from "./with-site.ts";

type Values = Record<string, string | boolean | undefined>;

interface MediaScript {
  name: string;
  takes: string;
  does: string;
  options?: Record<string, { type: "string" | "boolean"; does: string }>;
  /** "orAll": `--all` may take their place. */
  hasItems: boolean | "orAll";
  check?: (values: Values) => string | null;
}

interface MediaCommand {
  actor: Actor;
  items: string[];
  values: Values;
  isDryRun: boolean;
  isJson: boolean;
}

export function runMediaScript(
  script: MediaScript,
  run: (command: MediaCommand) => Promise<number>,
): Promise<never> {
  const { name, takes } = script;
  return runCommand({ name, takes: `-- ${takes}`, does: helpOf(script) }, async () => {
    const { values, items } = readArguments(script);
    const isDryRun = values["dry-run"] === true;
    const actor = { id: null, name, role: "owner" } as const;
    const command = { actor, items, values, isDryRun, isJson: values.json === true };
    return withSite({ isDryRun }, () => run(command));
  });
}

function readArguments({ options = {}, hasItems, check }: MediaScript): { values: Values; items: string[] } {
  const own = Object.entries(options).map(([name, { type }]) => [name, { type }] as const);
  const common = ["json", "dry-run"].map((name) => [name, { type: "boolean" }] as const);
  const { values, positionals: items } = readOptions(Object.fromEntries([...common, ...own]));
  if (!hasItems && items.length > 0) throw new UsageError("This command takes no items.");
  if (values.all && items.length > 0) throw new UsageError("Give items or --all, not both.");
  if (hasItems && !values.all && items.length === 0) throw new UsageError("Give at least one item.");
  const problem = check?.(values) ?? null;
  if (problem !== null) throw new UsageError(problem);
  return { values, items };
}

function helpOf({ does, options = {}, hasItems }: MediaScript): string {
  const lines = [
    ...Object.entries(options).map(([option, { type, does: text }]) => [
      `--${option}${type === "string" ? " …" : ""}`,
      text,
    ]),
    ["--json", "print JSON, for programs"],
    ["--dry-run", "change nothing, and print what would happen"],
  ];
  const items = hasItems
    ? ["Name an item by its address on the site, by the end of that address, or by its id.", ""]
    : [];
  return [does, ...items, ...lines.map(([option = "", text]) => `  ${option.padEnd(14)} ${text}`)].join("\n");
}

/** Returns the exit code: 1 if one could not be changed. */
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
      : { done: false, problem: NO_ITEM };
    results.push({ item, ...found, ...result });
    if (isJson) continue;
    const label = found ? `${found.shortId}  ${found.title}` : item;
    const missed =
      result.done && result.missed ? `: its date has passed (${result.missed.toISOString()})` : "";
    if (result.done)
      console.log(`${isDryRun ? "would be " : ""}${result.state.padEnd(10)} ${label}${missed}`);
    else console.error(`unchanged  ${label}: ${result.problem}`);
    if (result.done && result.missing) console.error(`incomplete ${label}: ${problemText(result.missing)}`);
  }
  if (isJson) console.log(JSON.stringify(results, null, 2));
  return results.every(({ done }) => done) ? 0 : 1;
}
