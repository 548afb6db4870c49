import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import type { Access } from "#app/domain/billing/access.ts";
import { db } from "#db/client.server.ts";
import { ageCookie, cookiesOf } from "#tests/media/bytes-site.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { type Site, startSite } from "#tests/support/site.ts";

type Person = "nobody" | "subscriber without age proof" | "stranger" | "member" | "lapsed" | "subscriber";

interface KnownFile {
  path: string;
  bytes: number;
  needs: "see" | "preview" | "view" | "download";
  access: Access;
  status: "published" | "draft" | "scheduled" | "withdrawn";
}

/** Written out, and not asked of the code that it checks. */
const MAY_VIEW: Record<Access, Person[]> = {
  free: ["stranger", "member", "lapsed", "subscriber"],
  member: ["member", "lapsed", "subscriber"],
  subscriber: ["subscriber"],
};
const PAST_THE_GATE: Person[] = ["stranger", "member", "lapsed", "subscriber"];

let site: Site;
let cookies: Record<Person, string>;
beforeAll(async () => {
  for (const access of ["free", "member", "subscriber"] as const) {
    await createVideo({ access, withFiles: true });
    await createPhotoSet({ access, previews: 1, photos: 2, withFiles: true });
  }
  for (const status of ["withdrawn", "draft", "scheduled"] as const) {
    await createVideo({ access: "free", status, withFiles: true });
  }
  await createCreator({ withFiles: true });
  site = await startSite({ dataDir: config.dataDir, env: { SESSION_SECRET: config.session.secret } });
  const subscriber = (await cookiesOf("trialing")).cookie;
  cookies = {
    nobody: "",
    "subscriber without age proof": subscriber.split("; ")[1] ?? "",
    stranger: await ageCookie(),
    member: (await cookiesOf()).cookie,
    lapsed: (await cookiesOf("past_due")).cookie,
    subscriber,
  };
});
afterAll(() => site.stop());

async function listFiles(): Promise<KnownFile[]> {
  const rows = await db.execute<KnownFile & Record<string, unknown>>(sql`
    SELECT '/media/' || f.media_id || '/' || f.name AS path, f.bytes::int AS bytes, f.needs, m.access, m.status
    FROM media_files f JOIN media m ON m.id = f.media_id
    UNION ALL
    SELECT '/media/creators/' || creator_id || '/' || name, bytes::int, 'see', 'free', 'published' FROM creator_files`);
  return [...rows];
}

function expected(person: Person, file: KnownFile): [number, number] {
  if (!PAST_THE_GATE.includes(person)) return [403, 0];
  if (file.status === "withdrawn") return [410, 0];
  if (file.status !== "published") return [404, 0];
  const isOpen = file.needs === "see" || file.needs === "preview" || MAY_VIEW[file.access].includes(person);
  return isOpen ? [200, file.bytes] : [403, 0];
}

test.each(["nobody", "subscriber without age proof", "stranger", "member", "lapsed", "subscriber"] as const)(
  "%s gets every byte the rule gives and none that it does not",
  async (person) => {
    const files = await listFiles();
    expect(new Set(files.map(({ needs }) => needs))).toEqual(new Set(["see", "preview", "view"]));
    const answers: Record<string, [number, number]> = {};
    const rule: Record<string, [number, number]> = {};
    for (const file of files) {
      const response = await site.fetch(file.path, { headers: { cookie: cookies[person] } });
      const key = `${file.path} (${file.status}, ${file.access}, ${file.needs})`;
      answers[key] = [response.status, (await response.arrayBuffer()).byteLength];
      rule[key] = expected(person, file);
    }
    expect(answers).toEqual(rule);
  },
);
