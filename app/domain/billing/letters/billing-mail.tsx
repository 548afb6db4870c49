import { render } from "@react-email/render";
import { Fragment, type ReactNode } from "react";
import { Letter } from "#app/domain/mail/letter.tsx";
import type { Mail } from "#app/domain/mail/outbox.server.ts";

const LINK = { color: "#b91f5e" };

/** What every billing mail says of the subscription it is about. */
export interface LetterFacts {
  siteName: string;
  to: string;
  planName: string;
  /** "$14.99 a month" */
  price: string;
  /** In full; ends the subscription without a sign-in. */
  cancelLink: string;
  accountLink: string;
  /** In full, and the last day of it: "5 December 2026". */
  withdrawal: { link: string; until: string };
}

interface BillingMail {
  kind: string;
  /** Without the site's name. Nothing of what the site shows: it may be read over a shoulder. */
  subject: string;
  /** Whether there is anything left to cancel. */
  isOver?: boolean;
  children: ReactNode;
}

export async function billingMail(facts: LetterFacts, { kind, subject, isOver, children }: BillingMail) {
  const letter = (
    <Letter siteName={facts.siteName}>
      {children}
      <hr style={{ margin: "24px 0", border: 0, borderTop: "1px solid #e3dfe0" }} />
      {/* Nothing follows a link: where the mail is read as text it would become a part of it. */}
      <div style={{ fontSize: "14px", lineHeight: "20px", color: "#5b5660" }}>
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
    </Letter>
  );
  const [html, text] = await Promise.all([render(letter), render(letter, { plainText: true })]);
  return { kind, to: facts.to, subject: `${facts.siteName}: ${subject}`, html, text } satisfies Mail;
}

/** Sums, dates and the like, one to a line: a table would tear them apart where the mail is read as text. */
export function LetterLines({ lines }: { lines: [string, string][] }) {
  return (
    <p style={{ margin: "16px 0", lineHeight: "28px" }}>
      {lines.map(([name, value], index) => (
        <Fragment key={name}>
          {index > 0 && <br />}
          <span style={{ color: "#5b5660" }}>{name}:</span> {value}
        </Fragment>
      ))}
    </p>
  );
}

/** Word for word what was agreed to. */
export function AgreedTerms({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <>
      <p>When you subscribed you agreed to this:</p>
      <blockquote style={{ margin: "0 0 16px", paddingLeft: "16px", borderLeft: "3px solid #e3dfe0" }}>
        {text}
      </blockquote>
    </>
  );
}

/** Of a mail that confirms the beginning. */
export function WithdrawalLine({ withdrawal }: Pick<LetterFacts, "withdrawal">) {
  return (
    <p>
      Until {withdrawal.until}, without signing in:{" "}
      <a href={withdrawal.link} style={LINK}>
        withdraw from the contract here
      </a>
    </p>
  );
}
