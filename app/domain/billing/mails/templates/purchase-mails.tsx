import { type Mail, MailButton, MailLayout, MailLines, renderMail } from "#app/domain/mail/mail-layout.tsx";
import { site } from "#app/domain/site/site.server.ts";
import { subscribeLink, toGetItBack } from "./billing-mail.tsx";

interface PurchaseFacts {
  planName: string;
  sentence: string;
}

export async function partlyPaidMail(to: string, { planName, sentence }: PurchaseFacts): Promise<Mail> {
  const content = (
    <MailLayout siteName={site.name}>
      <p>{sentence}</p>
      <MailLines lines={{ Plan: planName }} />
      <p>{toGetItBack()} You can subscribe again at any time:</p>
      <MailButton href={subscribeLink()}>See the plans</MailButton>
    </MailLayout>
  );
  const subject = `${site.name}: Your payment was not complete`;
  return { kind: "billing-partly-paid", to, subject, ...(await renderMail(content)) };
}
