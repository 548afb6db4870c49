import { join } from "node:path";
import { getCACertificates } from "node:tls";
import { ANSWER_SECONDS, BODY_LIMITS, DROPPED_BYTES } from "#app/web/forms/form-body.server.ts";
import { MAX_LIVE_CONNECTIONS } from "#app/web/live/event-texts.ts";
import type { TrustedProxies } from "../config/trusted-proxies.ts";
import { FRONT_KEY } from "../web/request/front-requests.server.ts";
import { RETRY_AFTER_SECONDS } from "../web/request/retry-after.ts";
import { MAX_CONNECTIONS_PER_ADDRESS } from "../web/server/connections.server.ts";
import { CONSTANT_HEADERS } from "../web/server/constant-headers.server.ts";
import { BAD_METHOD } from "../web/server/refusal.server.ts";
import { PAUSE_MS } from "../web/server/sent-videos.server.ts";
import { ERROR_PAGES, ERROR_PAGES_POLICY } from "./error-pages.ts";
import template from "./nginx.conf?raw";
import objectStore from "./object-store.conf?raw";
import { visitorAddress } from "./visitor-address.ts";

export interface FrontSettings {
  /** As in nginx's "listen". */
  listen: string[];
  sitePort: number;
  workers: number;
  origin: string;
  isDemo: boolean;
  trustedProxies: TrustedProxies;
  /** Media are in an object store. */
  hasStore: boolean;
  /** Static files directly in the folder `client`. */
  rootFiles: string[];
}

/** Forms take a moment, and a slow body may stay on the disk for hours. */
export const MAX_BODIES_PER_ADDRESS = 64;

const DEFAULT_PORTS: Record<string, string> = { "http:": "80", "https:": "443" };
const LOCAL_HOST = String.raw`(?:(?:[\w-]+\.)*localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?`;
/** More than the site accepts, so that a phone's photo gets the site's sentence beside the field. */
const PICTURE_BYTES = 3 * BODY_LIMITS.picture;
const ITEM_FILES_BYTES = BODY_LIMITS.itemFiles + DROPPED_BYTES;

const HIDDEN_HEADERS = CONSTANT_HEADERS.map(([name]) => `proxy_hide_header ${name};`).join("\n");

const ERROR_PAGE_LINES = ERROR_PAGES.map(({ statuses, sentStatus, name }) => {
  const sent = sentStatus === undefined ? "" : `=${sentStatus} `;
  return `error_page ${statuses.join(" ")} ${sent}/_pages/${name};`;
}).join("\n");

function nginxConfig(settings: FrontSettings): string {
  const values = valuesOf(settings);
  return filled(template, { ...values, objectStore: settings.hasStore ? filled(objectStore, values) : "" });
}

function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(
    /\{\{(\w+)\}\}/g,
    (placeholder, name: string) => values[name] ?? missing(placeholder),
  );
}

function valuesOf({ trustedProxies, ...settings }: FrontSettings): Record<string, string> {
  const isCounted = typeof trustedProxies === "number";
  const headers = CONSTANT_HEADERS.map(([name, value]) => `add_header ${name} "${value}" always;`).join("\n");
  return {
    // Started by root, nginx would run as a user who may not read the files.
    user: process.getuid?.() === 0 ? "user root;" : "",
    workers: String(settings.workers),
    sitePort: String(settings.sitePort),
    key: FRONT_KEY,
    listen: settings.listen.map((address) => `listen ${address} reuseport;`).join("\n"),
    visitorAddress: visitorAddress(trustedProxies),
    outerHosts: isCounted && trustedProxies > 1 ? `(?:,[^,]*){${trustedProxies - 1}}` : "",
    knownHost: settings.isDemo ? LOCAL_HOST : hostPattern(settings.origin),
    maxConnections: String(MAX_CONNECTIONS_PER_ADDRESS),
    maxBodies: String(MAX_BODIES_PER_ADDRESS),
    maxLive: String(MAX_LIVE_CONNECTIONS),
    formBytes: String(BODY_LIMITS.form),
    staffFormBytes: String(BODY_LIMITS.staffForm),
    eventBytes: String(BODY_LIMITS.event),
    pictureBytes: String(PICTURE_BYTES),
    itemFilesBytes: String(ITEM_FILES_BYTES),
    answerSeconds: String(ANSWER_SECONDS),
    memberPauseSeconds: String(PAUSE_MS.member / 1000),
    pieceBytes: String(BODY_LIMITS.piece),
    busySeconds: String(RETRY_AFTER_SECONDS.busy),
    restartSeconds: String(RETRY_AFTER_SECONDS.restart),
    methods: BAD_METHOD.headers?.find(([name]) => name === "Allow")?.[1] ?? "",
    headers,
    hiddenHeaders: HIDDEN_HEADERS,
    errorPages: ERROR_PAGE_LINES,
    pagesPolicy: ERROR_PAGES_POLICY,
    rootFiles: settings.rootFiles.map((name) => rootFile(name, headers)).join("\n"),
  };
}

function rootFile(name: string, headers: string): string {
  return `location = /${name} {
gzip_vary on;
max_ranges 0;
error_page 403 404 405 418 = @site;
${ERROR_PAGE_LINES}
${headers}
add_header Cache-Control "public, max-age=3600";
if ($has_condition) { return 418; }
}`;
}

/** A browser may write the default port or leave it out. */
function hostPattern(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  const name = hostname.replaceAll(/[.[\]]/g, String.raw`\$&`);
  return port === "" ? `${name}(?::${DEFAULT_PORTS[protocol]})?` : `${name}:${port}`;
}

function missing(placeholder: string): never {
  throw new Error(`app/front/nginx.conf has the placeholder ${placeholder}, which has no value`);
}

/** Contents, by path in the folder that nginx runs in. */
export function frontFiles(settings: FrontSettings): Record<string, string> {
  return {
    "nginx.conf": nginxConfig(settings),
    // Those that Node.js trusts, for the store's.
    ...(settings.hasStore ? { "certificates.pem": getCACertificates().join("\n") } : {}),
    ...Object.fromEntries(ERROR_PAGES.map(({ name, content }) => [join("_pages", name), content])),
  };
}
