import { readFile } from "node:fs/promises";
import { assertNoLeaks } from "../log-leaks.ts";
import { databaseAddress } from "./database.ts";

/** Runs once after all browser tests, while the site still runs. */
export default async function checkLog(): Promise<void> {
  const output = await readFile(process.env.E2E_LOG ?? "test-results/site.log", "utf8");
  // Without a line of a request, the search would prove nothing.
  if (!output.includes('"msg":"request"')) throw new Error("The site has logged no request.");
  await assertNoLeaks(output, { databaseUrl: await databaseAddress() });
}
