import { once } from "node:events";
import { readdirSync } from "node:fs";
import { get as httpGet, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { CONSTANT_HEADERS } from "#app/web/server/constant-headers.server.ts";
import { startBeforeStandIn } from "#tests/support/front/stand-in.ts";

const REFUSAL = "the site's refusal";
const nginx = await startBeforeStandIn((_, response) => response.writeHead(412).end(REFUSAL));
afterAll(() => nginx.stop());
const script = readdirSync("build/client/assets").find((name) => name.endsWith(".js"));

test.each([
  ["a part", { range: "bytes=0-1" }, 200],
  ["a part that is not there", { range: "bytes=99999999-" }, 200],
  ["another version than there is", { "if-match": '"zz"' }, 412],
  ["no newer version than an old one", { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" }, 412],
])(
  "a request for %s of a site file gets the whole file or the site's own refusal",
  async (_, headers, status) => {
    for (const path of ["/favicon.ico", `/assets/${script}`]) {
      const { statusCode, names, sent } = await get(path, headers);
      expect(statusCode).toBe(status);
      expect(sent.toString() === REFUSAL).toBe(status === 412);
      expect(names).toHaveLength(new Set(names).size);
      expect(names).toEqual(expect.arrayContaining(CONSTANT_HEADERS.map(([name]) => name.toLowerCase())));
    }
  },
);

async function get(path: string, headers: Record<string, string>) {
  const request = httpGet({ host: "127.0.0.1", port: nginx.port, path, headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const sent = await buffer(response);
  const names = response.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return { statusCode: response.statusCode, names, sent };
}
