import { render } from "@react-email/render";
import type { ReactNode } from "react";
import { Letter } from "#app/domain/mail/letter.tsx";
import type { Mail } from "#app/domain/mail/outbox.server.ts";

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
      <p style={{ fontSize: "14px", lineHeight: "20px", color: "#5b5660" }}>
        <a href={facts.accountLink}>Your account</a> shows your subscription and its invoices.{" "}
        <a href={facts.cancelLink}>
          {isOver ? "See how your subscription stands" : "Cancel your subscription"}
        </a>
        , without signing in.
      </p>
    </Letter>
  );
  const [html, text] = await Promise.all([render(letter), render(letter, { plainText: true })]);
  return { kind, to: facts.to, subject: `${facts.siteName}: ${subject}`, html, text } satisfies Mail;
}

/** Sums, dates and the like, one to a line. */
export function LetterLines({ lines }: { lines: [string, string][] }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} style={{ margin: "16px 0" }}>
      <tbody>
        {lines.map(([name, value]) => (
          <tr key={name}>
            <td style={{ padding: "4px 24px 4px 0", color: "#5b5660", verticalAlign: "top" }}>{name}:</td>
            <td style={{ padding: "4px 0" }}>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
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
