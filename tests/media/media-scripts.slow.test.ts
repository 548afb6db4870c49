import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { runScript } from "#tests/support/process/built-script.ts";

const stateOf = async (id: string) => {
  const [row] = await db.execute<{ state: string; reason: string | null; at: string | null }>(sql`
    SELECT status AS state, taken_down_reason AS reason, publish_at::text AS at FROM media WHERE id = ${id}`);
  return row;
};
const auditOf = async (id: string) => {
  const rows = await db.execute<{ line: string }>(
    sql`SELECT actor || ' ' || action AS line FROM audit_log WHERE subject_id = ${id} ORDER BY id`,
  );
  return rows.map(({ line }) => line);
};

const MISSING =
  "No creator is credited. The production date is missing. The video has audio but no captions.";

test("items are published, hidden, taken down and restored by address, its end or id", {
  timeout: 120_000,
}, async () => {
  const video = await createVideo({ status: "draft", title: "Silk" });
  const shortId = video.slug.split("-").at(-1) ?? "";
  const address = `http://localhost:3000${paths.media("video", video.slug)}?from=mail`;
  const steps: [string, string[], string][] = [
    ["publish-media", [address], "published"],
    ["hide-media", [shortId], "hidden"],
    ["hide-media", [video.id, "--undo"], "published"],
    ["take-down-media", [video.slug, "--reason", "A complaint"], "takenDown"],
    ["take-down-media", [shortId, "--undo"], "published"],
  ];
  for (const [script, args, state] of steps) {
    const run = await runScript(script, args);
    const stderr = script === "publish-media" ? `incomplete ${shortId}  Silk: ${MISSING}\n` : "";
    expect(run, script).toEqual({ code: 0, stdout: `${state.padEnd(10)} ${shortId}  Silk\n`, stderr });
    expect((await stateOf(video.id))?.state).toBe(state);
  }
  expect(await auditOf(video.id)).toEqual([
    "media:publish media.published",
    "media:hide media.hidden",
    "media:hide media.shown",
    "media:takedown media.takenDown",
    "media:takedown media.broughtBack",
  ]);
});

test("a dry run prints the same and writes nothing, and JSON is for programs", {
  timeout: 60_000,
}, async () => {
  const video = await createVideo({ title: "Linen" });
  const shortId = video.slug.split("-").at(-1) ?? "";
  const before = await stateOf(video.id);
  const dry = await runScript("take-down-media", [shortId, "--reason", "A complaint", "--dry-run", "--json"]);
  expect(JSON.parse(dry.stdout)).toEqual([
    { item: shortId, id: video.id, shortId, title: "Linen", done: true, state: "takenDown" },
  ]);
  expect([await stateOf(video.id), await auditOf(video.id)]).toEqual([before, []]);
  const list = await runScript("list-media", ["--state", "published", "--json"]);
  expect(JSON.parse(list.stdout)).toContainEqual({
    ...{ id: video.id, shortId, type: "video", state: "published", title: "Linen" },
    publishAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  const lines = (await runScript("list-media")).stdout.split("\n");
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^${shortId}  published  .*  video     Linen$`)),
  );
});

test("a time schedules an item, and an item that cannot be changed stops no other", {
  timeout: 60_000,
}, async () => {
  const [first, second] = [await createVideo({ status: "draft" }), await createVideo({ status: "draft" })];
  const run = await runScript("publish-media", [
    first.id,
    "nothing-here",
    second.id,
    "--at",
    "2999-12-04T18:00+01:00",
  ]);
  expect(run.code).toBe(1);
  expect(run.stderr.match(/^\w+/gm)).toEqual(["incomplete", "unchanged", "incomplete"]);
  expect(run.stderr).toContain("unchanged  nothing-here: There is no such item.\n");
  for (const { id } of [first, second]) {
    expect(await stateOf(id)).toMatchObject({
      state: "scheduled",
      at: expect.stringMatching(/^2999-12-04 17:00/),
    });
  }
  const past = await runScript("publish-media", [first.id, "--at", "2020-01-01T00:00Z"]);
  expect([past.code, past.stderr]).toEqual([1, expect.stringContaining("This date has passed")]);
});

test.each([
  ["publish-media", []],
  ["publish-media", ["x", "--at", "Friday"]],
  ["hide-media", ["x", "--reason", "y"]],
  ["take-down-media", ["x"]],
  ["take-down-media", ["x", "--reason", "y", "--undo"]],
  ["list-media", ["--state", "gone"]],
  ["list-media", ["x"]],
])("%s answers a wrong command line with one line", async (script, args) => {
  const { code, stdout, stderr } = await runScript(script, args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n]+ See npm run media:\w+ -- --help\.\n$/);
});
