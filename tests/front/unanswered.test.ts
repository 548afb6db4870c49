import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { openVideo, readSlowly } from "#tests/support/front/watch-video.ts";
import { addFile, cookiesOf } from "#tests/support/media-site.ts";

const MEGABYTE = 1024 * 1024;
const MAX_MS = 10_000;

// A killed process refuses connections; a stopped one accepts them and never answers.
test.each(["SIGKILL", "SIGSTOP"] as const)(
  "a running video ends within ten seconds when no web process answers, after %s",
  async (signal) => {
    const site = await startFrontSite();
    try {
      const file = await addFile(localStorage(join(site.dataDir, "media")), Buffer.alloc(200 * MEGABYTE, 7));
      const { cookie } = await cookiesOf("active");
      const closed = readSlowly(await openVideo(site.origin + file.path, cookie));
      await sleep(300);
      site.process.kill(signal);
      const killedAt = performance.now();
      const received = await closed;
      expect(performance.now() - killedAt).toBeLessThan(MAX_MS);
      expect(received).toBeGreaterThan(MEGABYTE);
      expect(received).toBeLessThan(200 * MEGABYTE);
    } finally {
      await site.stop();
    }
  },
  90_000,
);
