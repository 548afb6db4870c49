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
        We have received a request to delete your account. We will delete it, with everything in it, on{" "}
        {deletesOn}. You have been signed out on all devices. We will not email you about this again.
      </p>
      <p>
        If you change your mind, or did not ask for this, you have until that day to keep your account. You do
        not need to sign in:
      </p>
      <MailButton href={undoLink}>Keep my account</MailButton>
      <p>
        If you had a subscription, it has ended and you will not be charged again. Keeping your account does
        not restart it.
      </p>
    </MailLayout>
  );
}
