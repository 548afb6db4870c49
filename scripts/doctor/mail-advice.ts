const REFUSES =
  "Nobody can sign in, because the mail server of SMTP_URL refuses: correct host, port, user and password";

const ADVICE: [RegExp, string][] = [
  [
    /certificate|altnames/i,
    "Nobody can sign in, because the certificate of the mail server is not good for the name in SMTP_URL: write the name for which it is made, or renew it",
  ],
  [
    /wrong version number|packet length too long|Greeting never received/i,
    "Nobody can sign in, because the mail server of SMTP_URL speaks otherwise at this port: smtps:// belongs to port 465, smtp:// to 587 and 25",
  ],
  [
    /STARTTLS/,
    "Nobody can sign in, because the mail server in SMTP_URL offers no encryption on this port: use smtps:// with port 465, or add ?requireTLS=false on a private network",
  ],
];

export function mailAdvice(error?: unknown): string {
  const { message = "" } = (error ?? {}) as { message?: string };
  const [, advice] = ADVICE.find(([pattern]) => pattern.test(message)) ?? [];
  return advice ?? REFUSES;
}
