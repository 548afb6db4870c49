import type { Page } from "@playwright/test";

/** Bytes that the page sends each second; −1 for as many as it can. */
export async function throttle(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond },
  });
}

/** The network over which the page receives. */
export async function networkOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const emulate = (offline: boolean, downloadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      ...{ offline, latency: 20, uploadThroughput: -1, downloadThroughput },
    });
  return {
    /** Null for a fast one. */
    slowDown: (bytesPerSecond: number | null) => emulate(false, bytesPerSecond ?? -1),
    goOffline: () => emulate(true, 0),
  };
}
