import { formatDate } from "#app/dates.ts";
import { MailLines } from "#app/domain/mail/mail-layout.tsx";
import { KEPT_INVOICES } from "../../rules/subscription-sentence.ts";
import { billingMail, HOW_TO_CANCEL } from "./billing-mail.tsx";
import { howToStopRenewal, type MailFacts, nextChargeOf, planOf } from "./mail-facts.server.ts";

export function collectionPausedMail(facts: MailFacts) {
  const { collectionPause, collectionResumesAt } = facts.subscription;
  const until = collectionResumesAt && formatDate(collectionResumesAt);
  return billingMail(
    facts,
    { kind: "billing-collection-paused", subject: "Payments for your subscription are paused" },
    <>
      <p>
        Payments for your subscription are paused{until ? ` until ${until}` : ""}. You will not be charged{" "}
        {until ? "before that day" : "until they resume"}, and you keep your access.
      </p>
      {collectionPause === "keep_as_draft" && <p>{KEPT_INVOICES}</p>}
      <MailLines lines={{ Plan: planOf(facts) }} />
      <p>We will email you again before the next charge. {HOW_TO_CANCEL}</p>
    </>,
  );
}

export function collectionResumedMail(facts: MailFacts) {
  const { collectionResumesAt, currentPeriodEnd } = facts.subscription;
  const on = formatDate(currentPeriodEnd);
  return billingMail(
    facts,
    { kind: "billing-collection-resumed", subject: `Payments for your subscription resume on ${on}` },
    <>
      <p>
        {collectionResumesAt
          ? `Payments for your subscription are paused until ${formatDate(collectionResumesAt)} and then resume.`
          : "Payments for your subscription are no longer paused."}
      </p>
      <MailLines lines={{ Plan: planOf(facts), "Next charge": nextChargeOf(facts, currentPeriodEnd) }} />
      <p>{howToStopRenewal(facts)}</p>
    </>,
  );
}
