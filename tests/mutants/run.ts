import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findChromium, findFfmpeg } from "#scripts/build/programs.mjs";
import { copyCheckout } from "./checkout-copy.ts";
import { type Outcome, runNamedTest, stopNamedTests } from "./named-test.ts";
import { applyPatch, listMutants, type Mutant, type NamedTest } from "./patches.ts";
import { THREATS } from "./threats.ts";

/*
 * Removes one defense at a time, each in a copy of the checkout, and reports those whose test still passes.
 *   npm run test:mutants                  all of them: most of an hour on two cores
 *   npm run test:mutants -- row-21        those of one threat
 * To add one: break the code, write `git diff -U1` below a header like those in this folder, and revert the change.
 */

interface Verdict {
  mutant: Mutant;
  isCaught: boolean;
  words: string;
}

/** The number of copies of the checkout in which tests run concurrently. */
const AT_ONCE = 2;

const mutants = selected(process.argv.slice(2));
Object.assign(process.env, findFfmpeg(), findChromium());
const copies = await Promise.all(Array.from({ length: AT_ONCE }, copyCheckout));
const removeCopies = () => Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true })));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await stopNamedTests();
    await removeCopies();
    process.exit(1);
  });
}
const verdicts = await judgeAll().finally(removeCopies);

const missed = verdicts.filter(({ isCaught }) => !isCaught);
if (missed.length > 0) console.log("\n── not caught");
for (const { mutant, words } of missed) {
  console.log(
    `row ${mutant.row}: ${THREATS[mutant.row]?.attack}\n  ${mutant.name}: ${mutant.breaks}\n  ${words}`,
  );
}
console.log(`\n${verdicts.length - missed.length} of ${verdicts.length} mutants were caught`);
process.exit(missed.length === 0 ? 0 : 1);

async function judgeAll(): Promise<Verdict[]> {
  const startedAt = Date.now();
  // All tests run before the first patch, so that they share one build.
  const named = new Map(mutants.map(({ test }) => [keyOf(test), test]));
  console.log(`── ${named.size} tests without a mutant`);
  const unpatched = new Map<string, Outcome>();
  await inAllCopies([...named], async ([key, test], copy) => {
    unpatched.set(key, await runNamedTest(test, copy));
  });

  console.log(`── ${mutants.length} mutants, each of them with a build where its test starts the site`);
  const all: Verdict[] = [];
  await inAllCopies(mutants, async (mutant, copy) => {
    const verdict = await verdictOn(mutant, copy, unpatched.get(keyOf(mutant.test)));
    all.push(verdict);
    const minutes = Math.round((Date.now() - startedAt) / 60_000);
    const progress = `[${all.length}/${mutants.length}, ${minutes} min]`;
    console.log(`${progress} ${verdict.isCaught ? "ok    " : "FAILED"}  ${mutant.name}: ${verdict.words}`);
  });
  return all;
}

/** The mutants whose name starts with one of the given words, such as "row-21"; all without words. */
function selected(words: string[]): Mutant[] {
  const all = listMutants();
  const isNamed = (name: string, word: string) => name === word || name.startsWith(`${word}-`);
  for (const word of words) {
    if (all.some(({ name }) => isNamed(name, word))) continue;
    console.error(`No mutant is called ${word}. Name a row as in row-21, or a whole name.`);
    process.exit(2);
  }
  return words.length === 0 ? all : all.filter(({ name }) => words.some((word) => isNamed(name, word)));
}

function keyOf({ file, name }: NamedTest): string {
  return JSON.stringify([file, name]);
}

/** Runs the items one after another in each copy. */
async function inAllCopies<Item>(items: Item[], run: (item: Item, copy: string) => Promise<void>) {
  const waiting = [...items];
  const runNext = async (copy: string) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item, copy);
  };
  await Promise.all(copies.map(runNext));
}

/** `before` is the outcome of the test without the mutant. */
async function verdictOn(mutant: Mutant, copy: string, before?: Outcome): Promise<Verdict> {
  const { test } = mutant;
  if (before?.kind !== "green") {
    const why = before === undefined ? "it did not run" : sentence(before);
    return { mutant, isCaught: false, words: `${test.file} is not green without the mutant: ${why}` };
  }
  // The patch comes from the copy, because the checkout may change meanwhile.
  const patch = join(copy, mutant.path);
  try {
    applyPatch(patch, copy);
  } catch (error) {
    return { mutant, isCaught: false, words: `the patch does not apply: ${wordsOf(error)}` };
  }
  const after = await runNamedTest(test, copy);
  applyPatch(patch, copy, "--reverse");
  return { mutant, isCaught: after.kind === "red", words: `${sentence(after)} (${test.file})` };
}

function sentence(outcome: Outcome): string {
  if (outcome.kind === "green") return "the test stays green";
  if (outcome.kind === "red") return `${outcome.tests.length} red, "${outcome.tests[0]}"`;
  return `no assertion failed: ${outcome.why}`;
}

function wordsOf(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  return (stderr || message).trim().replaceAll("\n", "; ");
}
