import { afterAll, expect, test } from "vitest";
import { createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";

const site = await startSite();
afterAll(() => site.stop());
await createVideo();
const adult = await adultCookie();
const member = await signedInCookie((await createMember()).id);

const CONSTANT = {
  rating: "RTA-5042-1996-1400-1577-RTA",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
};

interface Look {
  path: string;
  status: number;
  cookie?: string;
  init?: RequestInit;
}

const LOOKS: [string, Look][] = [
  ["a page before the gate", { path: "/enter", status: 200 }],
  ["a redirect to the gate", { path: "/content/video", status: 302 }],
  ["a list", { path: "/content/video", status: 200, cookie: adult }],
  ["a page of one's own", { path: "/user/account", status: 200, cookie: member }],
  ["data for scripts", { path: "/content/video.data", status: 200, cookie: adult }],
  ["a page that is not there", { path: "/nowhere", status: 404, cookie: adult }],
  ["a file that is not there", { path: "/media/none/cover-480.webp", status: 404, cookie: adult }],
  ["a picture of the site", { path: "/favicon.ico", status: 200 }],
  ["health", { path: "/healthz", status: 200 }],
  ["robots", { path: "/robots.txt", status: 200 }],
  [
    "a form of another site",
    {
      path: "/api/color-mode",
      status: 403,
      init: { method: "POST", headers: { origin: "https://elsewhere.example" } },
    },
  ],
];

test.each(LOOKS)("%s has every constant header, once", async (_, { path, status, cookie, init }) => {
  const headers = { ...init?.headers, ...(cookie ? { cookie } : {}) };
  const answer = await site.fetch(path, { ...init, headers });
  expect(answer.status).toBe(status);
  const told = Object.fromEntries(Object.keys(CONSTANT).map((name) => [name, answer.headers.get(name)]));
  expect(told).toEqual(CONSTANT);
});

test("the policy of a page lets nothing in but its own, and a new nonce each time", async () => {
  const policies = await Promise.all(
    ["/enter", "/enter"].map(async (path) => (await site.fetch(path)).headers.get("content-security-policy")),
  );
  const nonces = policies.map((policy) => /'nonce-([\w+/=]{24})'/.exec(policy ?? "")?.[1]);
  expect(new Set(nonces).size).toBe(2);
  expect(policies[0]?.replaceAll(nonces[0] ?? "", "N").split("; ")).toEqual([
    "default-src 'self'",
    "script-src 'self' 'nonce-N'",
    "style-src-elem 'self' 'nonce-N'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ]);
});
