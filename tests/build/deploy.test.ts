import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "#app/config.server.ts";

interface Service {
  environment: Record<string, string>;
  volumes: string[];
  ports?: string[];
  stop_grace_period: string;
  networks: { site: { ipv4_address: string } };
  command: string[];
}

/** The image ends within this time of SIGTERM, after it has left the balancer. */
const ENDS_WITHIN_SECONDS = 15;
const compose = parse(readFileSync("deploy/two-copies.yaml", "utf8").replaceAll(/\$\{[^}]*\}/g, "given"), {
  merge: true,
});
const services: Record<string, Service> = compose.services;
const balancer = readFileSync("deploy/two-copies.conf", "utf8");
const copies = ["site-1", "site-2"].map((name) => services[name] as Service);

test("the two copies of the example have the same settings, the same data and no port of their own", () => {
  const [one, two] = copies;
  expect(one?.environment).toEqual(two?.environment);
  expect([one?.volumes, two?.volumes]).toEqual([["data:/data"], ["data:/data"]]);
  expect([one?.ports, two?.ports]).toEqual([undefined, undefined]);
  const { web, database } = parseConfig({
    ...one?.environment,
    SESSION_SECRET: randomBytes(32).toString("hex"),
  });
  expect(web).toMatchObject({ hasFront: true, trustedProxies: [expect.anything()] });
  expect(one?.environment.TRUST_PROXY).toBe(services.balancer?.networks.site.ipv4_address);
  expect(database.url).toBe("postgres://peony@postgres:5432/peony?password=given");
});

test("the balancer of the example knows both copies, and leaves one for longer than it takes to stop serving", () => {
  const servers = [...balancer.matchAll(/^ {2}server ([\d.]+):(\d+) max_fails=1 fail_timeout=(\d+)s;$/gm)];
  expect(servers.map(([, address]) => address)).toEqual(
    copies.map(({ networks }) => networks.site.ipv4_address),
  );
  for (const [, , port, seconds] of servers) {
    const { PORT, DRAIN_SECONDS } = copies[0]?.environment ?? {};
    expect(port).toBe(PORT);
    expect(Number(DRAIN_SECONDS)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeGreaterThan(Number(DRAIN_SECONDS));
    const grace = Number(copies[0]?.stop_grace_period.replace("s", ""));
    expect(grace).toBeGreaterThanOrEqual(Number(DRAIN_SECONDS) + ENDS_WITHIN_SECONDS);
  }
});
