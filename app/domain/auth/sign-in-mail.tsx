import { type Mail, MailButton, MailLayout, renderMail } from "#app/domain/mail/mail-layout.tsx";
import { inSentence } from "#app/texts.ts";
import { SIGN_IN_LIFETIME } from "./sign-in-requests.server.ts";

interface SignInMailFacts {
  siteName: string;
  link: string;
  code: string;
  device: string;
  purpose?: string | undefined;
}

export async function signInMail(to: string, facts: SignInMailFacts): Promise<Mail> {
  const element = <SignInMailBody {...facts} />;
  return {
    kind: "sign-in",
    to,
    subject: `Your sign-in link for ${facts.siteName}`,
    ...(await renderMail(element)),
  };
}

function SignInMailBody({ siteName, link, code, device, purpose }: SignInMailFacts) {
  return (
    <MailLayout siteName={siteName}>
      {purpose === undefined ? (
        <p>
          Someone asked to sign in with this email address, using {inSentence(device)}. If it was you, follow
          the link:
        </p>
      ) : (
        <p>
          Someone who is signed in to your account, using {inSentence(device)}, asked to {purpose}. If it was
          you, follow the link:
        </p>
      )}
      <MailButton href={link}>{purpose === undefined ? "Sign in" : "It was me"}</MailButton>
      <p>Or type this code on the page where you asked for this email:</p>
      <p style={{ fontSize: "24px", fontFamily: "monospace", letterSpacing: "3px" }}>{code}</p>
      <p>
        The link and the code can each be used once, within {SIGN_IN_LIFETIME}.{" "}
        {purpose === undefined
          ? "If it was not you, ignore this email. Nobody can sign in without it."
          : "If it was not you, someone else is using your account. Sign in, then sign out all other devices."}
      </p>
    </MailLayout>
  );
}
