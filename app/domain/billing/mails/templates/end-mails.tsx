import { MailButton } from "#app/domain/mail/mail-layout.tsx";
import { billingMail, type MailContext, MailLines, PurchaseTermsText } from "./billing-mail.tsx";

export function cancelledMail(
  facts: MailContext,
  cancelled: { on: string; endsOn: string; isTrial: boolean; isOpen: boolean },
) {
  const children = (
    <>
      <p>
        {cancelled.isTrial ? "Your trial is cancelled" : "Your subscription is cancelled"}. It
        {cancelled.isOpen
          ? ` stays open until ${cancelled.endsOn} and ends then`
          : ` ends on ${cancelled.endsOn}`}
        . Nothing more is charged.
      </p>
      <MailLines
        lines={[
          ["Plan", `${facts.planName}, ${facts.price}`],
          ["Cancelled on", cancelled.on],
          ["Ends on", cancelled.endsOn],
        ]}
      />
      <p>Your favorites and your progress are kept. You can change your mind until it ends:</p>
      <MailButton href={facts.accountLink}>Keep my subscription</MailButton>
    </>
  );
  return billingMail(facts, {
    kind: "billing-cancelled",
    subject: "Your cancellation is confirmed",
    isOver: true,
    children,
  });
}

export function endedMail(facts: MailContext, ended: { on: string; subscribeLink: string }) {
  const children = (
    <>
      <p>Your subscription ended on {ended.on}. Nothing more is charged.</p>
      <MailLines lines={[["Plan", `${facts.planName}, ${facts.price}`]]} />
      <p>
        Your account, your favorites and your progress are kept. You can subscribe again whenever you like:
      </p>
      <MailButton href={ended.subscribeLink}>Subscribe again</MailButton>
    </>
  );
  return billingMail(facts, {
    kind: "billing-ended",
    subject: "Your subscription has ended",
    isOver: true,
    children,
  });
}

export function unbegunMail(
  facts: MailContext,
  given: { on: string; isCancelled: boolean; isMoneyOnItsWay: boolean; subscribeLink: string },
) {
  const children = (
    <>
      <p>
        {given.isCancelled
          ? `Your subscription was cancelled on ${given.on}, before its first payment was completed.`
          : "The first payment of your subscription was not completed in time, so it was given up."}{" "}
        It has not begun, and nothing more is charged.
      </p>
      <MailLines lines={[["Plan", `${facts.planName}, ${facts.price}`]]} />
      {given.isMoneyOnItsWay ? (
        <p>
          What your bank has sent already may still arrive. It buys nothing any more: write to us, at the
          address below, to have it paid back.
        </p>
      ) : (
        <p>Nothing was paid.</p>
      )}
      <p>Your account is kept. You can subscribe whenever you like:</p>
      <MailButton href={given.subscribeLink}>See the plans</MailButton>
    </>
  );
  return billingMail(facts, {
    kind: "billing-unbegun",
    subject: given.isCancelled ? "Your cancellation is confirmed" : "Your subscription has not begun",
    isOver: true,
    children,
  });
}

export function withdrawalMail(facts: MailContext, { at, terms }: { at: string; terms: string | null }) {
  const children = (
    <>
      <p>
        We have received your withdrawal from the contract for your subscription. It ends at once, and nothing
        more is charged.
      </p>
      <MailLines
        lines={[
          ["Plan", `${facts.planName}, ${facts.price}`],
          ["Received on", at],
        ]}
      />
      <p>
        Nothing is paid back by itself. We pay back what the law gives you, within 14 days and the way you
        have paid.
      </p>
      <PurchaseTermsText text={terms} />
    </>
  );
  return billingMail(facts, {
    kind: "billing-withdrawal",
    subject: "Your withdrawal is received",
    isOver: true,
    children,
  });
}
