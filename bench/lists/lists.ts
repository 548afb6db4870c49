import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "#db/server/embedded.ts";
import { createCatalogue } from "../fill/fill-catalogue.ts";
import { median, percentile } from "../report/figures.ts";
import type { BenchOptions, Report } from "../report/report.ts";
import { studioQueriesOf } from "./list-names.ts";
import type { Asked, Measured } from "./measure-lists.ts";

const SMALL = 1_000;
const LARGE = 200_000;
const RATIO_LIMIT = 1.3;
/** For lists of the studio with several filters. */
const COMBINED_LIMIT_MS = 300;
const WARM_UP = 30;
/**
 * The number of turns per list. Each turn gives one ratio and the median counts, so disturbances in a few turns do
 * not matter.
 */
const TURNS = 25;
const QUICK_TURNS = 5;
const TIMES_A_TURN = 60;

interface Catalogue {
  lists: string[];
  measure(requested: Asked): Promise<Measured>;
  stop(): void;
}

/** The medians over all turns, in milliseconds. */
interface Compared {
  small: number;
  large: number;
  ratio: number;
}

/**
 * Compares lists and search at two catalogue sizes on one server. `only` selects lists by name.
 */
export async function benchLists({ isQuick, only }: BenchOptions, report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  const server = await startEmbedded(folder, ["-c", "fsync=off", "-c", "shared_buffers=256MB"]);
  const opened: Catalogue[] = [];
  try {
    const open = async (size: number) => {
      const catalogue = await openCatalogue(await createCatalogue(server.adminUrl, size), folder);
      opened.push(catalogue);
      return catalogue;
    };
    const [small, large] = [await open(SMALL), await open(LARGE)];
    const combined = Object.keys(studioQueriesOf(() => "").combined);
    for (const list of small.lists.filter((name) => only.length === 0 || only.includes(name))) {
      if (combined.includes(list)) {
        await reportTime(list, large, report);
        continue;
      }
      const compared = await compare(list, { small, large, turns: isQuick ? QUICK_TURNS : TURNS });
      report({
        name: `${list}, p95`,
        figure: `${compared.large.toFixed(2)} ms of ${LARGE}`,
        reference: `${compared.small.toFixed(2)} ms of ${SMALL}`,
        ratio: compared.ratio,
        goal: `<= ${RATIO_LIMIT.toFixed(2)}`,
        isMet: compared.ratio <= RATIO_LIMIT,
      });
    }
  } finally {
    for (const catalogue of opened) catalogue.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The page may be empty: finding nothing takes longest. */
async function reportTime(list: string, large: Catalogue, report: Report): Promise<void> {
  await large.measure({ list, times: WARM_UP });
  const time = await measureTurn(large, list);
  report({
    name: `${list}, p95`,
    figure: `${time.toFixed(2)} ms of ${LARGE}`,
    reference: "",
    ratio: null,
    goal: `<= ${COMBINED_LIMIT_MS} ms`,
    isMet: time <= COMBINED_LIMIT_MS,
  });
}

/** Each catalogue needs its own process, because a process is connected to one database. */
async function openCatalogue(databaseUrl: string, dataDir: string): Promise<Catalogue> {
  const child = fork("bench/lists/measure-lists.ts", {
    execArgv: ["--import", "tsx"],
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
  });
  const gone = new AbortController();
  child.once("exit", () => gone.abort());
  const answer = async () => (await once(child, "message", { signal: gone.signal }))[0];
  return {
    lists: (await answer()) as string[],
    async measure(requested) {
      child.send(requested);
      return (await answer()) as Measured;
    },
    stop: () => child.disconnect(),
  };
}

/** Measures one list in alternating turns, so that disturbances affect both catalogues equally. */
async function compare(
  list: string,
  { small, large, turns: count }: { small: Catalogue; large: Catalogue; turns: number },
): Promise<Compared> {
  const warmUp = { list, times: WARM_UP };
  const [few, many] = [await small.measure(warmUp), await large.measure(warmUp)];
  if (few.shown !== many.shown || few.shown === 0) {
    throw new Error(
      `${list}: ${few.shown} in the small catalogue, ${many.shown} in the large one, are no pages to compare`,
    );
  }
  const turns: Compared[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const [fast, slow] = [await measureTurn(small, list), await measureTurn(large, list)];
    turns.push({ small: fast, large: slow, ratio: slow / fast });
  }
  const of = (key: keyof Compared) => median(turns.map((turn) => turn[key]));
  return { small: of("small"), large: of("large"), ratio: of("ratio") };
}

/** The 95th percentile of one turn, in milliseconds. */
async function measureTurn(catalogue: Catalogue, list: string): Promise<number> {
  const { times } = await catalogue.measure({ list, times: TIMES_A_TURN });
  return percentile(times, 0.95);
}
