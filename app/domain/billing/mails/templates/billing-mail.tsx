import { render } from "@react-email/render";
import { Fragment, type ReactNode } from "react";
import type { Mail } from "#app/domain/mail/mail.ts";
import { MAIL_COLORS, MailLayout } from "#app/domain/mail/mail-layout.tsx";

const LINK = { color: MAIL_COLORS.link };

export interface MailContext {
  siteName: string;
  to: string;
  planName: string;
  price: string;
  cancelLink: string;
  accountLink: string;
  subscribeLink: string;
  withdrawal: { link: string; until: string };
}

interface Heading {
  kind: string;
  /** Without the site's name. */
  subject: string;
  isOver?: boolean;
}

export async function billingMail(
  facts: MailContext,
  { kind, subject, isOver }: Heading,
  children: ReactNode,
): Promise<Mail> {
  const content = (
    <MailLayout siteName={facts.siteName}>
      {children}
      <hr style={{ margin: "24px 0", border: 0, borderTop: `1px solid ${MAIL_COLORS.line}` }} />
      {/* Nothing follows a link: in the plain-text mail it would become part of the URL. */}
      <div style={{ fontSize: "14px", lineHeight: "20px", color: MAIL_COLORS.quiet }}>
        <p>
          Your subscription and its invoices:{" "}
          <a href={facts.accountLink} style={LINK}>
            your account
          </a>
        </p>
        <p>
          Without signing in:{" "}
          <a href={facts.cancelLink} style={LINK}>
            {isOver ? "see how your subscription stands" : "cancel your subscription"}
          </a>
        </p>
      </div>
    </MailLayout>
  );
  const [html, text] = await Promise.all([render(content), render(content, { plainText: true })]);
  return { kind, to: facts.to, subject: `${facts.siteName}: ${subject}`, html, text };
}

export function planOf({ planName, price }: Pick<MailContext, "planName" | "price">): string {
  return `${planName}, ${price}`;
}

/** One value per line: a table would break apart in the plain-text mail. Null values are left out. */
export function MailLines({ lines }: { lines: Record<string, string | null> }) {
  const given = Object.entries(lines).filter(([, value]) => value !== null);
  return (
    <p style={{ margin: "16px 0", lineHeight: "28px" }}>
      {given.map(([name, value], index) => (
        <Fragment key={name}>
          {index > 0 && <br />}
          <span style={{ color: MAIL_COLORS.quiet }}>{name}:</span> {value}
        </Fragment>
      ))}
    </p>
  );
}

export function PurchaseTermsText({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <>
      <p>When you subscribed you agreed to this:</p>
      <blockquote
        style={{ margin: "0 0 16px", paddingLeft: "16px", borderLeft: `3px solid ${MAIL_COLORS.line}` }}
      >
        {text}
      </blockquote>
    </>
  );
}

export function WithdrawalLine({ withdrawal }: Pick<MailContext, "withdrawal">) {
  return (
    <p>
      Until {withdrawal.until}, without signing in:{" "}
      <a href={withdrawal.link} style={LINK}>
        withdraw from the contract here
      </a>
    </p>
  );
}
