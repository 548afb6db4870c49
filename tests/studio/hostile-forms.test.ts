import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

test("no bulk change deletes items or schedules them without a date", async () => {
  const draft = await createVideo({ status: "draft" });
  const jar = await ownerJar();
  for (const change of ["state:delete", "state:schedule"]) {
    const form = { change, value: "", id: draft.id };
    expect((await jar.post(paths.studioBulk(), form)).status).toBe(422);
    expect(await (await jar.visit(paths.studioBulk(form))).text()).toContain("Please choose what to change.");
  }
  expect(await statusOf(draft.id)).toBe("draft");
});

async function statusOf(id: string): Promise<unknown> {
  const [row] = await db.execute<{ status: string }>(sql`SELECT status FROM media WHERE id = ${id}`);
  return row?.status;
}

async function ownerJar(): Promise<Jar> {
  const jar = new Jar(site);
  for (const pair of (await signedInCookie((await createMember({ role: "owner" })).id)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return jar;
}
