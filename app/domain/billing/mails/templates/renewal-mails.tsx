import { MailButton } from "#app/domain/mail/mail-layout.tsx";
import { billingMail, type MailContext, MailLines, planOf } from "./billing-mail.tsx";

export function renewalMail(facts: MailContext, { on, nextCharge }: { on: string; nextCharge: string }) {
  return billingMail(
    facts,
    { kind: "billing-renewal", subject: `Your subscription renews on ${on}` },
    <>
      <p>Your subscription renews on {on}. There is nothing to do if you want to keep it.</p>
      <MailLines lines={{ Plan: facts.planName, Price: facts.price, "Next charge": nextCharge }} />
      <p>If you do not want it any more, cancel before {on} and nothing more is charged.</p>
    </>,
  );
}

export function reminderMail(
  facts: MailContext,
  { begunOn, nextCharge }: { begunOn: string; nextCharge: string },
) {
  return billingMail(
    facts,
    { kind: "billing-reminder", subject: "Your subscription, once a year" },
    <>
      <p>Once a year we remind you of what runs: you have been subscribed since {begunOn}.</p>
      <MailLines lines={{ Plan: facts.planName, Price: facts.price, "Next charge": nextCharge }} />
      <p>
        It renews until you cancel it, which you can do at any time. There is nothing to do if you want to
        keep it.
      </p>
    </>,
  );
}

export function planChangedMail(
  facts: MailContext,
  { before, since, nextCharge }: { before: string; since: string; nextCharge: string | null },
) {
  const subject = "The price of your subscription has changed";
  return billingMail(
    facts,
    { kind: "billing-plan-changed", subject, isOver: nextCharge === null },
    <>
      <p>The price of your subscription has changed.</p>
      <MailLines lines={{ Before: before, Now: planOf(facts), Since: since, "Next charge": nextCharge }} />
      <p>
        {nextCharge === null
          ? "It is cancelled, so it ends by itself and nothing more is charged at this price."
          : "It renews at this price until you cancel it. If you do not want that, or did not ask for it, you can cancel at any time, in your account or by the link below: what you have paid for stays open until its end."}
      </p>
    </>,
  );
}

export function cardFailedMail(
  facts: MailContext,
  failed: { sum: string; payLink: string | null; openUntil: string | null; nextTryOn: string | null },
) {
  return billingMail(
    facts,
    { kind: "billing-card-failed", subject: "A payment did not go through" },
    <>
      <p>A payment of {failed.sum} for your subscription did not go through.</p>
      <p>
        {failed.openUntil === null
          ? "Your access is paused until the payment goes through."
          : `Your access stays until ${failed.openUntil}, so that you can put it right.`}{" "}
        {failed.nextTryOn === null ? "" : `The card is tried again on ${failed.nextTryOn}. `}
        Your favorites and your progress are kept.
      </p>
      <MailButton href={failed.payLink ?? facts.accountLink}>
        {failed.payLink === null ? "Put it right" : "Pay now"}
      </MailButton>
      <p>
        You can change the card in your account. If you do not want the subscription any more, cancel it
        below.
      </p>
    </>,
  );
}
