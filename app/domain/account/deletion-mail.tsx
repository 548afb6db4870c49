import { type Mail, MailButton, MailLayout, renderMail } from "#app/domain/mail/mail-layout.tsx";

interface DeletionMailFacts {
  siteName: string;
  deletesOn: string;
  undoLink: string;
}

export async function deletionMail(to: string, facts: DeletionMailFacts): Promise<Mail> {
  const element = <DeletionMailBody {...facts} />;
  const subject = `${facts.siteName}: Your account will be deleted on ${facts.deletesOn}`;
  return { kind: "account-deletion", to, subject, ...(await renderMail(element)) };
}

function DeletionMailBody({ siteName, deletesOn, undoLink }: DeletionMailFacts) {
  return (
    <MailLayout siteName={siteName}>
      <p>
        We have received the request to delete your account. On {deletesOn} it will be deleted with everything
        in it. You have been signed out on all devices, and no other mail follows.
      </p>
      <p>If you change your mind, or did not ask for this, keep it until then, without signing in:</p>
      <MailButton href={undoLink}>Keep my account</MailButton>
      <p>
        If you had a subscription, it has ended and nothing more is charged. Keeping the account does not
        begin it again.
      </p>
    </MailLayout>
  );
}
