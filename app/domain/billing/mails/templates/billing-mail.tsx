import type { ReactNode } from "react";
import { config } from "#app/config.server.ts";
import { MAIL_COLORS, type Mail, MailLayout, MailLink, renderMail } from "#app/domain/mail/mail-layout.tsx";
import { site } from "#app/domain/site/site.server.ts";
import { paths } from "#app/paths.ts";
import { NO_CONTACT } from "#app/texts.ts";
import { capabilitiesOf } from "../../providers/contract/capabilities.ts";
import { canCancel } from "../../rules/cancellation-state.ts";
import { withdrawalEnd } from "../../rules/withdrawal-period.ts";
import { cancelLink, withdrawLink } from "../../subscriptions/signed-links.server.ts";
import type { MailFacts } from "./mail-facts.server.ts";

export const HOW_TO_CANCEL = "You can cancel at any time, in your account or with the link below.";

interface Heading {
  kind: string;
  subject: string;
  /** False for a subscription that is about to end. */
  isCancelOffered?: boolean;
}

export async function billingMail(
  { to, subscription }: MailFacts,
  { kind, subject, isCancelOffered = canCancel(subscription) }: Heading,
  children: ReactNode,
): Promise<Mail> {
  const { help } = capabilitiesOf(subscription.provider);
  const content = (
    <MailLayout siteName={site.name}>
      {children}
      <hr
        className="line"
        style={{ margin: "24px 0", border: 0, borderTop: `1px solid ${MAIL_COLORS.line}` }}
      />
      {/* Nothing follows a link: in the plain text it would become part of the URL. */}
      <div className="quiet" style={{ fontSize: "14px", lineHeight: "20px", color: MAIL_COLORS.quiet }}>
        <p>
          See your subscription and invoices in <MailLink href={accountLink()}>your account</MailLink>
        </p>
        {help && (
          <p>
            {help.name} charges for your subscription, and answers{" "}
            <MailLink href={help.url}>questions about a charge</MailLink>
          </p>
        )}
        <p>
          Without signing in, you can{" "}
          <MailLink href={cancelLink(subscription)}>
            {isCancelOffered ? "cancel your subscription" : "see the status of your subscription"}
          </MailLink>
        </p>
      </div>
    </MailLayout>
  );
  return { kind, to, subject: `${site.name}: ${subject}`, ...(await renderMail(content)) };
}

/** As text: a reply would not arrive, because emails usually come from a no-reply address. */
export function toGetItBack(what = "it"): string {
  return `Write to ${site.contactEmail || NO_CONTACT} to get ${what} back.`;
}

export function accountLink(): string {
  return config.origin + paths.subscription();
}

export function subscribeLink(): string {
  return config.origin + paths.subscribe();
}

export function PurchaseTermsText({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <>
      <p>When you subscribed, you agreed to the following:</p>
      <blockquote
        className="line"
        style={{ margin: "0 0 16px", paddingLeft: "16px", borderLeft: `3px solid ${MAIL_COLORS.line}` }}
      >
        {text}
      </blockquote>
    </>
  );
}

export function WithdrawalLine({ subscription }: Pick<MailFacts, "subscription">) {
  return (
    <p>
      Until {withdrawalEnd(subscription.created)}, you can withdraw without signing in:{" "}
      <MailLink href={withdrawLink(subscription)}>withdraw from the contract here</MailLink>
    </p>
  );
}
