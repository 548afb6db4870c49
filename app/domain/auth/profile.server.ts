import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { signinTokens, users } from "#db/schema/auth.ts";
import { checkouts, customers } from "#db/schema/billing.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { mediaStreams } from "#db/schema/viewing.ts";
import type { profileForm } from "./profile-form.ts";

export async function findProfile(userId: string) {
  const [profile] = await db
    .select({
      email: users.email,
      full_name: users.full_name,
      billing_address: users.billing_address,
      billing_method: users.billing_method,
      avatar_url: users.avatar_url,
      payment_method: users.payment_method,
    })
    .from(users)
    .where(eq(users.id, userId));
  return profile ?? null;
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

/** `url` is null to go back to the initials. */
export async function saveAvatarUrl(userId: string, url: string | null): Promise<void> {
  await db.update(users).set({ avatar_url: url }).where(eq(users.id, userId));
}

/**
 * Takes everything of a person out of the database, and leaves it to a job to do so at the payment provider; tables that
 * refer to the user follow by cascade. False, and nothing
 * is gone, while a purchase is open: one that was begun since everything was ended could still be paid.
 */
export async function deleteAccount(userId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Under this lock no purchase begins.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
    const isOpen = and(eq(checkouts.userId, userId), eq(checkouts.status, "open"));
    if ((await tx.$count(checkouts, isOpen)) > 0) return false;
    const known = await tx.select().from(customers).where(eq(customers.userId, userId));
    for (const { provider, providerCustomerId: customerId } of known) {
      await enqueue("forget-customer", { provider, customerId }, tx);
    }
    const [gone] = await tx.delete(users).where(eq(users.id, userId)).returning({ email: users.email });
    if (!gone) return true;
    await tx.delete(signinTokens).where(sql`lower(${signinTokens.email}) = lower(${gone.email})`);
    await tx.delete(mediaStreams).where(eq(mediaStreams.userId, userId));
    await tx.delete(mailOutbox).where(sql`lower(${mailOutbox.to}) = lower(${gone.email})`);
    return true;
  });
}
