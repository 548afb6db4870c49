import { and, desc, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { mailOutbox } from "#db/schema/mail.ts";

/** The newest sign-in email to an address. */
export async function newestMail(email: string): Promise<{ link: string; token: string; code: string }> {
  const [mail] = await db
    .select({ text: mailOutbox.text })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.to, email), eq(mailOutbox.kind, "sign-in")))
    .orderBy(desc(mailOutbox.createdAt))
    .limit(1);
  const link = mail?.text.match(/https?:\/\/\S+/)?.[0];
  const code = mail?.text.match(/^[0-9A-Z]{8}$/m)?.[0];
  if (!link || !code) throw new Error("No email with a link and a code");
  return { link, code, token: new URL(link).searchParams.get("token") ?? "" };
}

export async function countMails(email: string): Promise<number> {
  return db.$count(mailOutbox, eq(mailOutbox.to, email));
}
