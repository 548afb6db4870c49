import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { listRoutes } from "#tests/support/route-manifest.ts";
import { startSite } from "#tests/support/site.ts";
import { createLibrary } from "../support/routes/library.ts";
import { newCaller } from "../support/routes/people.ts";
import { listRows } from "../support/routes/rows.ts";

const library = await createLibrary();
const rows = listRows(library);
const caller = await newCaller("owner", library.free.id);
const withoutPage = (await listRoutes()).filter(({ hasLoader, hasPage }) => hasLoader && !hasPage);
const site = await startSite({
  dataDir: config.dataDir,
  env: { NODE_OPTIONS: `--import ${new URL("../support/process/report-loaders.mjs", import.meta.url).href}` },
});
afterAll(() => site.stop());

test.each(withoutPage)(
  "$id has no data form, and its loader does not run for one",
  async ({ id, hasAction }) => {
    const path = pathOf(id);
    const before = await runsAfterAnother(id, path);

    const parts = path.split("/");
    const encoded = [...parts.slice(0, -1), hexOf(parts.at(-1) ?? "")].join("/");
    const variants = [
      `${path}.data`,
      `${path}.data?_routes=${encodeURIComponent(id)}`,
      `${path}.data?_routes=root`,
      `/x/..${path}.data`,
      `${encoded}.data`,
    ];
    for (const variant of variants) {
      for (const method of ["GET", "HEAD", ...(hasAction ? [] : ["POST"])]) {
        expect([method, variant, (await ask(variant, method)).statusCode]).toEqual([method, variant, 404]);
      }
    }
    expect(await runsAfterAnother(id, path)).toBe(before + 1);
  },
);

test("a page has a data form, and a file may be named .data", async () => {
  expect((await ask("/about.data")).headers["content-type"]).toMatch(/^text\/x-script/);
  expect((await ask("/_root.data?_routes=routes%2F_index")).headers["content-type"]).toMatch(
    /^text\/x-script/,
  );
  const id = "routes/media.$";
  const before = await runsAfterAnother(id, pathOf(id));
  expect((await ask(`/media/${library.free.id}/notes%2Edata`)).statusCode).toBe(404);
  expect(await runsAfterAnother(id, pathOf(id)), "the route of files says that there is none").toBe(
    before + 2,
  );
});

test("a script's form to a route without a page still gets data", async () => {
  const answer = await site.fetch("/api/color-mode.data", {
    method: "POST",
    headers: { cookie: caller.cookie, origin: site.origin },
    body: new URLSearchParams({ theme: "dark", next: "/about" }),
  });
  expect([answer.status, await answer.text()]).toEqual([202, expect.stringContaining("/about")]);
});

function pathOf(id: string): string {
  const row = rows.find(({ route, method }) => route === id && method === "GET");
  if (!row) throw new Error(`tests/support/routes/rows.ts has no address of ${id}`);
  return typeof row.path === "string" ? row.path : row.path(caller.target);
}

/** Percent-encodes every byte. */
function hexOf(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("");
}

/** fetch() would normalize the address. */
async function ask(
  path: string,
  method = "GET",
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const { hostname, port, origin } = new URL(site.origin);
  const common = { cookie: caller.cookie, origin };
  const sent = request({ hostname, port, path, method, headers: { ...common, ...headers } }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  await once(answer.resume(), "end");
  return answer;
}

/** Runs the loader once more and waits for its output, which may be late; returns the number of runs. */
async function runsAfterAnother(id: string, path: string): Promise<number> {
  const marker = randomUUID();
  await ask(path, "GET", { "x-marker": marker });
  await expect.poll(() => site.output()).toContain(`loader ran: ${id} ${marker}\n`);
  return site
    .output()
    .split("\n")
    .filter((line) => line.startsWith(`loader ran: ${id} `)).length;
}
