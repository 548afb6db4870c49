import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { paths } from "#app/paths.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";

/** A favorite that the site has confirmed. */
interface Confirmed {
  userId: string;
  mediaId: string;
}

/** Two members at a time who add favorites, whatever the site answers, and write down what it has confirmed. */
export function startWriting(origin: string, confirmed: Confirmed[]) {
  let isOver = false;
  let longestMs = 0;
  const clients = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      const { id: userId } = await createMember();
      const cookie = await signedInCookie(userId);
      const { id: mediaId } = await createVideo({ access: "free" });
      const sentAt = performance.now();
      const response = await fetch(`${origin}${paths.api.favorites()}`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, origin },
        body: new URLSearchParams({ mediaId, next: "/" }),
      }).catch(() => null);
      longestMs = Math.max(longestMs, performance.now() - sentAt);
      if (response?.status === 303) confirmed.push({ userId, mediaId });
      await sleep(50);
    }
  });
  return {
    /** Resolves with how long the slowest answer took, or the failure of a connection, in milliseconds. */
    async stop() {
      isOver = true;
      await Promise.all(clients);
      return longestMs;
    },
  };
}

/** How many of them the database does not have. */
export async function countLost(databaseUrl: string, confirmed: Confirmed[]): Promise<number> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const kept = await Promise.all(
    confirmed.map(async ({ userId, mediaId }) => {
      const rows = await sql`SELECT 1 FROM favorites WHERE user_id = ${userId} AND media_id = ${mediaId}`;
      return rows.length;
    }),
  );
  await sql.end();
  return kept.filter((rows) => rows === 0).length;
}
