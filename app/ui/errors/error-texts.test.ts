import { describe, expect, it } from "vitest";
import { errorText } from "./error-texts.ts";

describe("an error page", () => {
  it.each([400, 403, 404, 410, 413, 421, 422, 429, 503])(
    "has a text of its own and a next step for %i",
    (status) => {
      const text = errorText(status);
      expect(text.title).not.toBe("Request Failed");
      expect(text.sentence).toMatch(/\.$/);
      expect(text.next.to).toMatch(/^\//);
    },
  );

  it.each([405, 500, 999])("falls back to Request Failed for %i", (status) => {
    expect(errorText(status).title).toBe("Request Failed");
  });

  it.each([400, 422])("does not blame the site for a bad request, for %i", (status) => {
    expect(errorText(status).sentence).not.toContain("our side");
  });

  it("says how long to wait when the time is known", () => {
    expect(errorText(429, { waitSeconds: 61 }).sentence).toContain("wait 2 minutes,");
    expect(errorText(429, { waitSeconds: 60 }).sentence).toContain("wait 1 minute,");
    expect(errorText(429, { waitSeconds: 9 }).sentence).toContain("wait 9 seconds,");
    expect(errorText(429, { waitSeconds: 1 }).sentence).toContain("wait 1 second,");
  });

  it("names a shared connection only where the limit counts connections", () => {
    expect(errorText(429, { waitSeconds: 60, isShared: true }).sentence).toContain("share it with others");
    expect(errorText(429, { waitSeconds: 60 }).sentence).not.toContain("share");
  });
});
