import { join } from "node:path";
import { proxyNetworks, type TrustedProxies } from "../config/trusted-proxies.ts";
import { MAX_LIVE_STREAMS } from "../web/live/live-limits.ts";
import { COVER_PATH, TYPES_BY_ENDING } from "../web/media/front-types.ts";
import { cookieName } from "../web/request/cookie-name.server.ts";
import { MAX_CONNECTIONS_PER_ADDRESS } from "../web/server/connections.server.ts";
import { CONSTANT_HEADERS } from "../web/server/constant-headers.server.ts";
import { FRONT_KEY } from "../web/server/front-requests.server.ts";
import { BAD_METHOD } from "../web/server/request-target.server.ts";
import { frontMacKeys } from "../web/session/front-proof.server.ts";
import { ERROR_PAGES, ERROR_PAGES_POLICY } from "./error-pages.ts";
import template from "./nginx.conf?raw";
import streamWatch from "./stream-watch.js?raw";

export interface FrontSettings {
  /** Addresses with their port, as nginx's "listen" takes them. */
  listen: string[];
  sitePort: number;
  workers: number;
  /** The demo answers to this machine's names, a site to its own. */
  origin: string;
  isDemo: boolean;
  trustedProxies: TrustedProxies;
  modules: string;
  /** Folders of this run; `cache` is best in memory. */
  run: string;
  cache: string;
  /** The site's static files, and their names below the folder. */
  client: string;
  rootFiles: string[];
  media: string;
}

const DEFAULT_PORTS: Record<string, string> = { "http:": "80", "https:": "443" };
const LOCAL_HOST = String.raw`(?:(?:[\w-]+\.)*localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?`;
/** For requests that nginx passes on; client headers of these names never reach the site. */
const FRONT_HEADERS = [
  "Host $own_host",
  'Connection ""',
  `X-Front-Key ${FRONT_KEY}`,
  "X-Front-Peer $remote_addr",
  "X-Front-Protocol $server_protocol",
  "X-Front-Call $front_call",
  "X-Front-Lease $passed_lease",
].map((header) => `proxy_set_header ${header};`);

const HIDDEN_HEADERS = CONSTANT_HEADERS.map(([name]) => `proxy_hide_header ${name};`).join("\n");

const ERROR_PAGE_LINES = ERROR_PAGES.map(({ statuses, sentStatus, name }) => {
  const sent = sentStatus === undefined ? "" : `=${sentStatus} `;
  return `error_page ${statuses.join(" ")} ${sent}/_pages/${name};`;
}).join("\n");

function nginxConfig(settings: FrontSettings): string {
  const values = valuesOf(settings);
  return template.replaceAll(/\{\{(\w+)\}\}/g, (gap, name: string) => values[name] ?? missing(gap));
}

function valuesOf({ trustedProxies, ...settings }: FrontSettings): Record<string, string> {
  const isCounted = typeof trustedProxies === "number";
  const networks = proxyNetworks(trustedProxies);
  const headers = CONSTANT_HEADERS.map(([name, value]) => `add_header ${name} "${value}" always;`).join("\n");
  return {
    modules: settings.modules,
    // Started by root, nginx would send files as a user who may not read them.
    user: process.getuid?.() === 0 ? "user root;" : "",
    run: settings.run,
    cache: settings.cache,
    workers: String(settings.workers),
    client: settings.client,
    media: settings.media,
    sitePort: String(settings.sitePort),
    key: FRONT_KEY,
    listen: settings.listen.map((address) => `listen ${address} reuseport;`).join("\n"),
    proxies: networks.map((network) => `${network} 1;`).join(" "),
    outerHosts: isCounted && trustedProxies > 1 ? `(?:,[^,]*){${trustedProxies - 1}}` : "",
    knownHost: settings.isDemo ? LOCAL_HOST : hostPattern(settings.origin),
    maxConnections: String(MAX_CONNECTIONS_PER_ADDRESS),
    maxStreams: String(MAX_LIVE_STREAMS),
    mediaTypes: Object.entries(TYPES_BY_ENDING)
      .map(([ending, type]) => `"${type}" ${ending};`)
      .join("\n"),
    mediaEndings: Object.keys(TYPES_BY_ENDING).join("|"),
    methods: BAD_METHOD.headers?.find(([name]) => name === "Allow")?.[1] ?? "",
    headers,
    adultCookie: cookieName("adult"),
    browserCookie: cookieName("browser"),
    themeCookie: cookieName("theme"),
    cover: COVER_PATH,
    proven: provenBy("$proof"),
    provenForCover: provenBy("$cover_proof"),
    inMemory: IN_MEMORY,
    keptPage: keptPage(headers),
    smallFile: smallFile(headers, settings.media),
    hiddenHeaders: HIDDEN_HEADERS,
    frontHeaders: FRONT_HEADERS.join("\n"),
    errorPages: ERROR_PAGE_LINES,
    pagesPolicy: ERROR_PAGES_POLICY,
    rootFiles: settings.rootFiles.map((name) => rootFile(name, headers)).join("\n"),
    file: FILE,
    handedOver: `${headers}\n${HANDED_OVER}`,
    watched: WATCHED,
  };
}

/** `proof` is a variable with the MAC and the end; $secure_link is 1 when both are good. */
function provenBy(proof: string): string {
  const { before, behind } = frontMacKeys();
  return `secure_link ${proof};
secure_link_md5 "${before} $proof_end $proof_browser ${behind}";`;
}

/** A small response costs one call of the kernel less in this way, and goes out with its head in one piece. */
const IN_MEMORY = `sendfile off;
output_buffers 1 64k;`;

function keptPage(headers: string): string {
  return `proxy_cache pages;
proxy_cache_key "$own_host $http_x_forwarded_host $is_proxy $request_uri $encoding $page_class $visitor";
proxy_ignore_headers Expires Vary;
proxy_cache_background_update on;
proxy_cache_lock on;
proxy_cache_lock_timeout 2s;
proxy_hide_header Cache-Control;
${HIDDEN_HEADERS}
${headers}
add_header Cache-Control $page_lifetime always;
${IN_MEMORY}
proxy_pass http://site;`;
}

function smallFile(headers: string, media: string): string {
  return `error_page 403 404 418 500 = @site;
${ERROR_PAGE_LINES}
if ($is_plain_get = 0) { return 418; }
auth_request /_may;
auth_request_set $file $upstream_http_x_front_file;
auth_request_set $file_tag $upstream_http_etag;
auth_request_set $file_lifetime $upstream_http_cache_control;
auth_request_set $file_policy $upstream_http_content_security_policy;
auth_request_set $file_disposition $upstream_http_content_disposition;
root ${media};
${headers}
${FILE}
add_header Cache-Control $file_lifetime;
add_header Content-Disposition $file_disposition;
add_header ETag $file_tag;
add_header Content-Security-Policy $file_policy;
try_files /$file =404;`;
}

/** The site decides on conditions and ranges; nginx only sends. */
const FILE = `etag off;
if_modified_since off;
max_ranges 1;
charset off;
gzip_static off;
brotli_static off;
add_header Last-Modified "";`;

const HANDED_OVER = `add_header ETag $upstream_http_etag;
add_header Content-Security-Policy $upstream_http_content_security_policy;`;

/** post_action and mirror run beside the file, which leaves the sending to the kernel. With tcp_nopush its end came 200 ms late. */
const WATCHED = `set $lease $upstream_http_x_front_lease;
mirror /_watch;
mirror_request_body off;
keepalive_timeout 0; tcp_nopush off;
post_action /_ended;`;

function rootFile(name: string, headers: string): string {
  return `location = /${name} {
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

function missing(gap: string): never {
  throw new Error(`app/front/nginx.conf names ${gap}, which has no value`);
}

/** Files that nginx reads beside its configuration, by their names below `run`. */
export function frontFiles(settings: FrontSettings): Record<string, string> {
  return {
    "nginx.conf": nginxConfig(settings),
    "stream-watch.js": streamWatch,
    ...Object.fromEntries(ERROR_PAGES.map(({ name, content }) => [join("_pages", name), content])),
  };
}
