// Needed because a scrape takes 10 ms of its process, and 0.3 s with 100,000 jobs in the queue: decision 109.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Registry } from "prom-client";
import { config } from "#app/config.server.ts";
import { METRICS_PATH } from "#app/domain/health/metrics-messages.ts";
import { isSameSecret } from "#app/domain/keys/keys.server.ts";
import { log } from "#app/log.server.ts";
import { isDemosOwnMachine } from "../request/trusted-proxies.server.ts";
import { processMetrics } from "./all-processes.server.ts";
import { siteMetrics } from "./site-metrics.server.ts";

/** However many scrapes come, a process computes one a second. */
const KEPT_MS = 1_000;
const READS = new Set(["GET", "HEAD"]);
const BEARER = /^Bearer +(\S+)$/i;

let current: Promise<string> | null = null;

/** False also for clients without access, who get the 404 page. */
export function answerScrape(request: IncomingMessage, response: ServerResponse): boolean {
  const [path] = (request.url ?? "").split("?", 1);
  if (path !== METRICS_PATH || !READS.has(request.method ?? "") || !mayScrape(request.headers)) return false;
  currentText().then(
    (text) => {
      response.setHeader("Content-Type", Registry.PROMETHEUS_CONTENT_TYPE);
      response.setHeader("Content-Length", Buffer.byteLength(text));
      response.writeHead(200).end(text);
    },
    (error: unknown) => {
      log.warn({ err: error }, "a scrape is not answered");
      response.writeHead(503).end();
    },
  );
  return true;
}

function mayScrape(headers: IncomingHttpHeaders): boolean {
  const { authorization, host = "", "x-unforwarded-peer": peer } = headers;
  if (authorization !== undefined) return isToken(BEARER.exec(authorization)?.[1] ?? "");
  const url = `http://${host}`;
  return URL.canParse(url) && isDemosOwnMachine(String(peer), new URL(url).hostname);
}

function isToken(given: string): boolean {
  const { token } = config.metrics;
  return token !== null && isSameSecret(given, token);
}

function currentText(): Promise<string> {
  current ??= wholeText().finally(() => {
    setTimeout(() => {
      current = null;
    }, KEPT_MS).unref();
  });
  return current;
}

async function wholeText(): Promise<string> {
  const [processes, site] = await Promise.all([processMetrics(), siteMetrics()]);
  return `${processes}\n${site}`;
}
