import { afterEach, expect, test, vi } from "vitest";
import { pageMoment } from "#app/ui/progress/send-progress.ts";
import { findLostPhotos, type LightboxPhoto, loadLightboxSet } from "./lightbox-set.ts";

afterEach(() => void vi.unstubAllGlobals());

test.each<[string, () => Promise<Response>]>([
  ["a limit", async () => new Response(null, { status: 429 })],
  ["a session that is over", async () => Response.error()],
  ["no network", async () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a page instead of a list", async () => new Response("<!doctype html>")],
  ["a list without photos", async () => Response.json({ photos: [] })],
])("the list cannot be loaded: %s", async (_, fetch) => {
  vi.stubGlobal("fetch", fetch);
  await expect(loadLightboxSet("/list")).rejects.toThrow();
});

test("a list comes with the time at which it was received", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ photos: [{ position: 1 }] }));
  const before = pageMoment();
  const set = await loadLightboxSet("/list");
  const after = pageMoment();
  for (const clock of ["ticks", "date"] as const) {
    expect(set.receivedAt[clock]).toBeGreaterThanOrEqual(before[clock]);
    expect(set.receivedAt[clock]).toBeLessThanOrEqual(after[clock]);
  }
});

test.each<[string, () => Promise<Response>, number[]]>([
  ["a list without a photo", async () => Response.json({ photos: [{ number: 7 }] }), [9]],
  ["a list without photos", async () => Response.json({ photos: [] }), [7, 9]],
  ["a set that was taken down", async () => new Response(null, { status: 410 }), [7, 9]],
  ["a limit", async () => new Response(null, { status: 429 }), []],
  ["no network", async () => Promise.reject(new TypeError("Failed to fetch")), []],
])(
  "after a failed photo, the photos that the viewer may no longer see are found: %s",
  async (_, fetch, lost) => {
    vi.stubGlobal("fetch", fetch);
    const photos = [7, 9].map((number) => ({ number }) as LightboxPhoto);
    expect((await findLostPhotos("/list", photos)).map(({ number }) => number)).toEqual(lost);
  },
);
