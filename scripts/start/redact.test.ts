import { expect, test } from "vitest";
import { redactRequestLine } from "./redact.ts";

test("a request line keeps no title, no search and no token", () => {
  const line = redactRequestLine(
    "GET /content/video/words-of-a-title-abc?q=secret&token=t 200 - - 12.345 ms",
  );
  expect(line).toBe("GET /content/video 200 12.345 ms");
});

test.each([
  "/creators/ada-moon-abc",
  "/Creators/ada-moon-abc.data?_routes=x",
  "//creators//ada-moon-abc?tab=photos",
])("a request line keeps no creator's name: %s", (url) => {
  expect(redactRequestLine(`GET ${url} 200 - - 1.5 ms`)?.toLowerCase()).toBe("get /creators 200 1.5 ms");
});

test("other lines pass as they are, and the start-up line of the server is left out", () => {
  expect(redactRequestLine('{"level":50,"msg":"request failed"}')).toBe(
    '{"level":50,"msg":"request failed"}',
  );
  expect(redactRequestLine("[remix-serve] http://localhost:3000")).toBeNull();
});
