import { readFile } from "node:fs/promises";
import { assertNoLeaks } from "../log-leaks.ts";
import { databaseAddress } from "./database.ts";
import { SITES } from "./sites.ts";

/** Runs once after all browser tests, while the sites still run. */
export default async function checkLogs(): Promise<void> {
  const outputs = await Promise.all(SITES.map(({ log }) => readFile(log, "utf8")));
  // Without a line of a request, the search would prove nothing. A single file runs on one of the sites.
  if (!outputs.some((output) => output.includes('"msg":"request"')))
    throw new Error("No site has logged a request.");
  for (const [index, site] of SITES.entries()) {
    await assertNoLeaks(outputs[index] ?? "", { databaseUrl: await databaseAddress(site) });
  }
}
