import { deliverMail, discardMail, findUnsentMail } from "#app/domain/mail/outbox.server.ts";
import { takePoint } from "./rate-limits.server.ts";
import { hasAccount } from "./users.server.ts";

/** Strangers can use up an hour's emails, so some are kept for members (decision 128). False when the email was discarded. */
export async function deliverFromReserve(mailId: string): Promise<boolean> {
  const mail = await findUnsentMail(mailId);
  if (mail === null) return true;
  // An email that was tried before has taken its point.
  const mayGo = mail.attempts > 0 || ((await hasAccount(mail.to)) && (await takeFromReserve()));
  await (mayGo ? deliverMail(mailId) : discardMail(mailId));
  return mayGo;
}

async function takeFromReserve(): Promise<boolean> {
  return (await takePoint("mailFromReserve", "all")) === null;
}
