import { expect, test } from "vitest";
import { routePattern, routesAt } from "./route-pattern.ts";

test.each([
  ["/", "/"],
  ["/_root.data", "/.data"],
  ["/content/video/words-of-a-title-abc", "/content/video/$slug"],
  ["/Content/Video/words-of-a-title-abc.data", "/content/video/$slug.data"],
  ["/content/photoSet/words-of-a-title/3", "/content/photoSet/$slug/$n"],
  ["//creators//ada-moon-abc", "/creators/$slug"],
  ["/creators", "/creators"],
  ["/user/account/sign-out-everywhere", "/user/account/sign-out-everywhere"],
  ["/robots.txt", "/robots.txt"],
  ["/media/0b8e/video-360.mp4", "/media/$"],
  ["/assets/index-abc.js", "/assets/$"],
  ["/api/billing/webhook/stripe", "/api/billing/webhook/$provider"],
  ["/api/billing/webhook/ccbill/secret", "/api/billing/webhook/$provider/$token"],
  ["/studio/upload/files", "/studio/upload/files/$"],
  ["/studio/upload/files/3f2a", "/studio/upload/files/$"],
])("%s is logged as %s", (path, pattern) => {
  expect(routePattern(path)).toBe(pattern);
});

test.each(["/secret", "/secret.data", "/secret/secret/secret", "/user/secret", "/enter/secret", "/%73ecret"])(
  "nothing of the unknown path %s is logged",
  (path) => {
    expect(routePattern(path)).toBe("/*");
  },
);

test.each([
  ["/", ["routes/_index"]],
  ["/.data", ["routes/_index"]],
  ["/content/video/$slug", ["routes/content.video.$slug"]],
  ["/content/video/$slug.data", ["routes/content.video.$slug"]],
  ["/studio/media/$id", ["routes/studio.media.$id", "routes/studio.media.$id._index"]],
  ["/api/billing/webhook/$provider/$token", ["routes/api.billing.webhook.$provider.($token)"]],
  ["/robots.txt", ["routes/robots[.]txt"]],
  ["/*", []],
])("the routes at %s are %j", (pattern, ids) => {
  expect(routesAt(pattern).sort()).toEqual([...ids].sort());
});
