const REFUSES =
  "Nobody can sign in, because the mail server in SMTP_URL refuses this site: correct host, port, user and password";

const ADVICE: [RegExp, string][] = [
  [
    /certificate|altnames/i,
    "Nobody can sign in, because the mail server's certificate is not valid for the name in SMTP_URL: use the name it was issued for, or renew it",
  ],
  [
    /wrong version number|packet length too long|Greeting never received/i,
    "Nobody can sign in, because the mail server in SMTP_URL uses another protocol on this port: use smtps:// with port 465, and smtp:// with 587 or 25",
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
