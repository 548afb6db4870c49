import { MailButton } from "#app/domain/mail/mail-layout.tsx";
import { billingMail, type MailContext, MailLines, PurchaseTermsText, planOf } from "./billing-mail.tsx";

export function cancelledMail(
  facts: MailContext,
  cancelled: { on: string; endsOn: string; isTrial: boolean; isOpen: boolean },
) {
  const { endsOn } = cancelled;
  return billingMail(
    facts,
    { kind: "billing-cancelled", subject: "Your cancellation is confirmed", isOver: true },
    <>
      <p>
        {cancelled.isTrial ? "Your trial is cancelled" : "Your subscription is cancelled"}. It
        {cancelled.isOpen ? ` stays open until ${endsOn} and ends then` : ` ends on ${endsOn}`}. Nothing more
        is charged.
      </p>
      <MailLines lines={{ Plan: planOf(facts), "Cancelled on": cancelled.on, "Ends on": endsOn }} />
      <p>Your favorites and your progress are kept. You can change your mind until it ends:</p>
      <MailButton href={facts.accountLink}>Keep my subscription</MailButton>
    </>,
  );
}

export function endedMail(facts: MailContext, { on }: { on: string }) {
  return billingMail(
    facts,
    { kind: "billing-ended", subject: "Your subscription has ended", isOver: true },
    <>
      <p>Your subscription ended on {on}. Nothing more is charged.</p>
      <MailLines lines={{ Plan: planOf(facts) }} />
      <p>
        Your account, your favorites and your progress are kept. You can subscribe again whenever you like:
      </p>
      <MailButton href={facts.subscribeLink}>Subscribe again</MailButton>
    </>,
  );
}

export function unbegunMail(
  facts: MailContext,
  ended: { on: string; isCancelled: boolean; isMoneyOnItsWay: boolean },
) {
  const subject = ended.isCancelled ? "Your cancellation is confirmed" : "Your subscription has not begun";
  return billingMail(
    facts,
    { kind: "billing-unbegun", subject, isOver: true },
    <>
      <p>
        {ended.isCancelled
          ? `Your subscription was cancelled on ${ended.on}, before its first payment was completed.`
          : "The first payment of your subscription was not completed in time, so it was given up."}{" "}
        It has not begun, and nothing more is charged.
      </p>
      <MailLines lines={{ Plan: planOf(facts) }} />
      {ended.isMoneyOnItsWay ? (
        <p>
          What your bank has sent already may still arrive. It buys nothing any more: write to us, at the
          address below, to have it paid back.
        </p>
      ) : (
        <p>Nothing was paid.</p>
      )}
      <p>Your account is kept. You can subscribe whenever you like:</p>
      <MailButton href={facts.subscribeLink}>See the plans</MailButton>
    </>,
  );
}

export function withdrawalMail(facts: MailContext, { at, terms }: { at: string; terms: string | null }) {
  return billingMail(
    facts,
    { kind: "billing-withdrawal", subject: "Your withdrawal is received", isOver: true },
    <>
      <p>
        We have received your withdrawal from the contract for your subscription. It ends at once, and nothing
        more is charged.
      </p>
      <MailLines lines={{ Plan: planOf(facts), "Received on": at }} />
      <p>
        Nothing is paid back by itself. We pay back what the law gives you, within 14 days and the way you
        have paid.
      </p>
      <PurchaseTermsText text={terms} />
    </>,
  );
}
