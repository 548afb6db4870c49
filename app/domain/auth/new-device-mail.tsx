import { formatMinute } from "#app/dates.ts";
import { type Mail, MailButton, MailLayout, renderMail } from "#app/domain/mail/mail-layout.tsx";

interface NewDevice {
  siteName: string;
  device: string;
  network: string | null;
  signedInAt: Date;
  devicesLink: string;
}

export async function newDeviceMail(to: string, { siteName, ...signIn }: NewDevice): Promise<Mail> {
  const element = (
    <MailLayout siteName={siteName}>
      <p>Someone signed in with this email address in a browser that we have not seen before:</p>
      <p>
        {signIn.device}
        {signIn.network !== null && <>, from the network {signIn.network}</>}, on{" "}
        {formatMinute(signIn.signedInAt)}
      </p>
      <p>
        If it was you, you do not need to do anything. If not, sign that device out and check who can read
        your email:
      </p>
      <MailButton href={signIn.devicesLink}>See your devices</MailButton>
    </MailLayout>
  );
  return { kind: "new-device", to, subject: `New sign-in to ${siteName}`, ...(await renderMail(element)) };
}
