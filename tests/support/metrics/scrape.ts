import { type IncomingHttpHeaders, request } from "node:http";
import { expect } from "vitest";
import { METRICS_PATH } from "#app/domain/health/metrics-messages.ts";
import type { Site } from "../site.ts";

interface Fetched {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

/** On a connection of its own, so that the web processes take turns. fetch() does not allow setting Host. */
export function fetchAlone(
  { origin }: Pick<Site, "origin">,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  signal?: AbortSignal,
): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { path, method, headers, agent: false, signal }, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, headers: answer.headers, text });
    });
    sent.on("error", reject).end();
  });
}

export async function scrape(site: Pick<Site, "origin">, headers: Record<string, string> = {}) {
  const { status, text } = await fetchAlone(site, METRICS_PATH, headers);
  expect(status).toBe(200);
  return text;
}

/** The sum of all series whose name and labels begin so. */
export function sumOf(text: string, beginning: string): number {
  return text
    .split("\n")
    .filter((line) => line.startsWith(beginning))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)?.replace("Inf", "Infinity")), 0);
}

/** A scrape is repeated for a second, so a change shows a moment later. */
export async function expectMetric(
  site: Pick<Site, "origin">,
  beginning: string,
  value: number,
): Promise<void> {
  const valueNow = async () => sumOf(await scrape(site), beginning);
  await expect.poll(valueNow, { timeout: 60_000, message: beginning }).toBe(value);
}
