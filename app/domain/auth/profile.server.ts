import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import { db } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/auth.ts";
import type { profileForm } from "./profile-fields.ts";
import { IS_OPEN_SESSION } from "./sessions.server.ts";

export async function findProfile(userId: string) {
  const rows = await db
    .select({
      profile: {
        email: users.email,
        full_name: users.full_name,
        billing_address: users.billing_address,
        billing_method: users.billing_method,
        avatar_url: users.avatar_url,
        payment_method: users.payment_method,
        deletionRequestedAt: users.deletionRequestedAt,
      },
      device: {
        sessionId: sessions.id,
        device: sessions.device,
        network: sessions.network,
        renewedAt: sessions.renewedAt,
      },
    })
    .from(users)
    .leftJoin(sessions, and(eq(sessions.userId, users.id), IS_OPEN_SESSION))
    .where(eq(users.id, userId))
    .orderBy(desc(sessions.renewedAt));
  const [first] = rows;
  return first ? { ...first.profile, devices: rows.flatMap(({ device }) => device ?? []) } : null;
}

export async function saveProfile(userId: string, form: z.output<typeof profileForm>): Promise<void> {
  const { full_name, ...address } = form;
  const filled = Object.entries(address).filter(([, value]) => value !== "");
  await db
    .update(users)
    .set({
      full_name: full_name || null,
      billing_address: filled.length > 0 ? Object.fromEntries(filled) : null,
    })
    .where(eq(users.id, userId));
}

export async function saveAvatarUrl(userId: string, url: string | null): Promise<void> {
  await db.update(users).set({ avatar_url: url }).where(eq(users.id, userId));
}
