import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { db } from "#db/client.server.ts";

/** Queues an email of the kind "test", which the site's worker sends. */
export async function queueMail(to: string): Promise<void> {
  const mail = { kind: "test", to, subject: "s", html: "h", text: "t" };
  await enqueueMail(mail, db);
}
