import { createTransport } from "nodemailer";
import { isLoopbackHost } from "#app/config/addresses.ts";
import { config } from "#app/config.server.ts";
import { site } from "#app/domain/site/site.server.ts";
import type { Mail } from "./mail-layout.tsx";

const CONNECT_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 10_000;

/** Emails contain sign-in links, so they leave this machine encrypted unless the URL says requireTLS=false. */
function needsTls(smtpUrl: string): boolean {
  return !isLoopbackHost(new URL(smtpUrl).hostname);
}

function openTransport(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    // The URL's query overrides these.
    requireTLS: needsTls(smtpUrl),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export async function verifySmtp(smtpUrl: string): Promise<void> {
  const transport = openTransport(smtpUrl);
  await transport.verify().finally(() => transport.close());
}

/** Throws nodemailer's error when the server is unreachable, slow, refuses, or lacks the required encryption. */
export async function sendBySmtp(smtpUrl: string, mail: Mail): Promise<void> {
  const transport = openTransport(smtpUrl);
  try {
    await transport.sendMail({
      from: config.mail.isFromSite ? { ...config.mail.from, name: site.name } : config.mail.from,
      to: { name: "", address: mail.to },
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } finally {
    transport.close();
  }
}
