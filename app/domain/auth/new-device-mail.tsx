import { formatMinute } from "#app/dates.ts";
import { type Mail, MailButton, MailLayout, renderMail } from "#app/domain/mail/mail-layout.tsx";

interface NewDevice {
  siteName: string;
  device: string;
  /** Network part of the IP address; null when there is none. */
  network: string | null;
  signedInAt: Date;
  devicesLink: string;
}

export async function newDeviceMail(to: string, { siteName, ...sign }: NewDevice): Promise<Mail> {
  const element = (
    <MailLayout siteName={siteName}>
      <p>Somebody signed in with this address in a browser that had not been used for it before:</p>
      <p>
        {sign.device}
        {sign.network !== null && <>, from the network {sign.network}</>}, on {formatMinute(sign.signedInAt)}
      </p>
      <p>
        If it was you, there is nothing to do. If not, sign that device out and see who can read your mail:
      </p>
      <MailButton href={sign.devicesLink}>See your devices</MailButton>
    </MailLayout>
  );
  return { kind: "new-device", to, subject: `New sign-in to ${siteName}`, ...(await renderMail(element)) };
}
