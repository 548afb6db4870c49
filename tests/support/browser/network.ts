import type { Page } from "@playwright/test";

/** Bytes that the page sends each second; −1 for as many as it can. */
export async function throttle(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond },
  });
}
