import { crc32 } from "node:zlib";

/** One for each worker, so that no test meets what another does to the database or to the clock of the payments. */
const COUNT = 2;
/** Each checkout has its own, below those that the system gives out itself, so that two can be tested at once. */
const FIRST_PORT = 20_000 + COUNT * (crc32(process.cwd()) % 5_000);
const FOLDER = process.env.E2E_RESULTS ?? "test-results";

export interface BrowserSite {
  port: number;
  dataDir: string;
  log: string;
  /** Behind nginx, as in the image; the other as with plain `npm start`. */
  front: "nginx" | "none";
}

export const SITES: BrowserSite[] = Array.from({ length: COUNT }, (_, index) => ({
  port: FIRST_PORT + index,
  dataDir: `${FOLDER}/data-${index + 1}`,
  log: `${FOLDER}/site-${index + 1}.log`,
  front: index === 0 ? "none" : "nginx",
}));
/** A second look at failed tests runs on the site where they failed, alone. */
const { E2E_SITE } = process.env;
export const WORKERS = E2E_SITE === undefined ? COUNT : 1;

/** The site of this worker's tests. Playwright numbers workers from 0. */
export function ownSite(): BrowserSite {
  const site = SITES[Number(E2E_SITE ?? process.env.TEST_PARALLEL_INDEX ?? 0)];
  if (!site) throw new Error("There are more workers than sites");
  return site;
}
