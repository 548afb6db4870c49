import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { paths } from "#app/paths.ts";
import { createRole } from "#tests/support/database/role.ts";
import { createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { REAL_DATABASE_LIMIT, startSite } from "#tests/support/site.ts";

const video = await createVideo({ access: "subscriber", withFiles: true });
const adult = await adultCookie();
const { id: memberId } = await createMember();
const member = await signedInCookie(memberId);
const { id: subscriberId } = await createMember();
await subscribe(subscriberId);
const subscriber = await signedInCookie(subscriberId);
const videoPath = paths.mediaFile(video.id, "video-360.mp4");

const hosting = { APP_URL: "https://peony.example", SMTP_URL: "smtp://127.0.0.1:1", TRUST_PROXY: "0" };
const blindUrl = await createRole("peony_no_media", "SELECT, INSERT, UPDATE, DELETE", {
  except: "public.media",
});
const SITES = {
  "the site": await startSite({ dataDir: config.dataDir }),
  "a site called by another's name": await startSite({ env: hosting }),
  "a site that may not read what it shows": await startSite({ databaseUrl: blindUrl }),
  "a site without its database": await startSite({
    databaseUrl: "postgres://nobody@127.0.0.1:1/none",
    env: REAL_DATABASE_LIMIT,
  }),
};
const site = SITES["the site"];
afterAll(() => Promise.all(Object.values(SITES).map((one) => one.stop())));

const CONSTANT = {
  rating: "RTA-5042-1996-1400-1577-RTA",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
};

const HTTPS_ONLY = "max-age=31536000";

interface Look {
  at?: keyof typeof SITES;
  path: string;
  status: number;
  cookie?: string;
  init?: RequestInit;
  before?: () => Promise<void>;
}

const SEARCH = paths.list("video", { q: "silk" });

const LOOKS: [string, Look][] = [
  ["a page before the gate", { path: "/enter", status: 200 }],
  ["a redirect to the gate", { path: "/content/video", status: 302 }],
  ["a list", { path: "/content/video", status: 200, cookie: adult }],
  ["a page of one's own", { path: "/user/account", status: 200, cookie: member }],
  ["data for scripts", { path: "/content/video.data", status: 200, cookie: adult }],
  ["a page that is not there", { path: "/nowhere", status: 404, cookie: adult }],
  ["a file that is not there", { path: "/media/none/cover-480.webp", status: 404, cookie: adult }],
  ["a video", { path: videoPath, status: 200, cookie: subscriber }],
  ["a part of a video", { path: videoPath, status: 206, cookie: subscriber, init: partOf("bytes=0-9") }],
  [
    "a part that is not there",
    { path: videoPath, status: 416, cookie: subscriber, init: partOf("bytes=9999999-") },
  ],
  [
    "a video that is known already",
    { path: videoPath, status: 304, cookie: subscriber, init: await knownVideo() },
  ],
  ["a video that one may not see", { path: videoPath, status: 403, cookie: member }],
  ["a video before the gate", { path: videoPath, status: 403 }],
  [
    "a video that another site embeds",
    { path: videoPath, status: 403, cookie: subscriber, init: embedded() },
  ],
  ["the cover of a video", { path: paths.mediaFile(video.id, "cover-480.webp"), status: 200, cookie: adult }],
  ["a script", { path: await firstScript(), status: 200 }],
  ["a script that is not there", { path: "/assets/none.js", status: 404 }],
  ["a form that is too large", { path: "/signin", status: 413, init: post("x".repeat(70_000)) }],
  ["a form that is none", { path: "/signin", status: 400, init: post(null) }],
  ["a form that is refused", { path: "/signin", status: 422, init: post("no address") }],
  ["a visitor in too great a hurry", { path: SEARCH, status: 429, cookie: adult, before: useUpSearches }],
  ["another site's name", { at: "a site called by another's name", path: "/about", status: 421 }],
  [
    "a failure",
    { at: "a site that may not read what it shows", path: "/content/video", status: 500, cookie: adult },
  ],
  [
    "a failure of data for scripts",
    { at: "a site that may not read what it shows", path: "/content/video.data", status: 500, cookie: adult },
  ],
  [
    "a video that cannot be looked up",
    { at: "a site that may not read what it shows", path: videoPath, status: 500, cookie: subscriber },
  ],
  ["an outage", { at: "a site without its database", path: "/content/video", status: 503, cookie: adult }],
  [
    "an outage of videos",
    { at: "a site without its database", path: videoPath, status: 503, cookie: subscriber },
  ],
  ["not ready", { at: "a site without its database", path: "/readyz", status: 503 }],
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

test.each(LOOKS)(
  "%s has every constant header, once",
  async (_, { at = "the site", path, status, cookie, init, before }) => {
    await before?.();
    const headers = { ...init?.headers, ...(cookie ? { cookie } : {}) };
    const answer = await SITES[at].fetch(path, { ...init, headers });
    expect(answer.status).toBe(status);
    const constant = Object.fromEntries(
      Object.keys(CONSTANT).map((name) => [name, answer.headers.get(name)]),
    );
    expect(constant).toEqual(CONSTANT);
    const isHosted = at === "a site called by another's name";
    expect(answer.headers.get("strict-transport-security")).toBe(isHosted ? HTTPS_ONLY : null);
  },
);

test("a page's policy allows only the site's own files, with a new nonce each time", async () => {
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
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ]);
});

function partOf(range: string): RequestInit {
  return { headers: { range } };
}

function embedded(): RequestInit {
  return { headers: { "sec-fetch-site": "cross-site" } };
}

async function knownVideo(): Promise<RequestInit> {
  const { headers } = await site.fetch(videoPath, { headers: { cookie: subscriber } });
  return { headers: { "if-none-match": headers.get("etag") ?? "" } };
}

async function firstScript(): Promise<string> {
  return /"(\/assets\/[^"]+\.js)"/.exec(await (await site.fetch("/about")).text())?.[1] ?? "";
}

/** Without an address, the body is not a form. */
function post(email: string | null): RequestInit {
  const headers = { origin: site.origin, "content-type": "application/x-www-form-urlencoded" };
  if (email === null)
    return { method: "POST", headers: { ...headers, "content-type": "text/plain" }, body: "x" };
  return { method: "POST", headers, body: new URLSearchParams({ email }) };
}

/** Right before the request: the limit counts ten seconds. */
async function useUpSearches(): Promise<void> {
  while ((await takePoint("searchByClient", "127.0.0.1")) === null);
}
