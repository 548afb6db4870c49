import { type Browser as Chromium, chromium, type Page } from "@playwright/test";
import { findChromium } from "#scripts/build/programs.mjs";

export function openChromium(): Promise<Chromium> {
  return chromium.launch({ executablePath: findChromium().CHROMIUM_PATH });
}

/** Bytes a second and milliseconds; null for the computer's own network. */
export type Network = { bytesPerSecond: number; latencyMs: number } | null;

export interface Visit {
  page: Page;
  /** Received so far of the addresses that match. */
  bytesOf(pattern: RegExp): number;
  close(): Promise<void>;
}

/** A window with an empty cache. `cookie` is a Cookie header. */
export async function visit(
  browser: Chromium,
  { origin, cookie, network = null }: { origin: string; cookie?: string; network?: Network },
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const cookies = (cookie?.split("; ") ?? []).map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: origin };
  });
  await context.addCookies(cookies);
  // tsx keeps the names of functions by a helper that pages lack.
  await context.addInitScript("globalThis.__name = (named) => named");
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  const urls = new Map<string, string>();
  const bytes = new Map<string, number>();
  client.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url));
  client.on("Network.dataReceived", ({ requestId, dataLength }) =>
    bytes.set(requestId, (bytes.get(requestId) ?? 0) + dataLength),
  );
  if (network) {
    await client.send("Network.emulateNetworkConditions", {
      ...{ offline: false, uploadThroughput: -1 },
      ...{ downloadThroughput: network.bytesPerSecond, latency: network.latencyMs },
    });
  }
  const matching = (pattern: RegExp) => [...urls].filter(([, url]) => pattern.test(url)).map(([id]) => id);
  return {
    page,
    bytesOf: (pattern) => matching(pattern).reduce((sum, id) => sum + (bytes.get(id) ?? 0), 0),
    close: () => context.close(),
  };
}
