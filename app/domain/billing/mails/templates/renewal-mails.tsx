import { MailButton } from "#app/domain/mail/mail-layout.tsx";
import { billingMail, type MailContext, MailLines } from "./billing-mail.tsx";

export function renewalMail(
  facts: MailContext,
  { renewsOn, nextCharge }: { renewsOn: string; nextCharge: string },
) {
  const children = (
    <>
      <p>Your subscription renews on {renewsOn}. There is nothing to do if you want to keep it.</p>
      <MailLines
        lines={[
          ["Plan", facts.planName],
          ["Price", facts.price],
          ["Next charge", nextCharge],
        ]}
      />
      <p>If you do not want it any more, cancel before {renewsOn} and nothing more is charged.</p>
    </>
  );
  return billingMail(facts, {
    kind: "billing-renewal",
    subject: `Your subscription renews on ${renewsOn}`,
    children,
  });
}

export function reminderMail(facts: MailContext, next: { begunOn: string; nextCharge: string }) {
  const children = (
    <>
      <p>Once a year we remind you of what runs: you have been subscribed since {next.begunOn}.</p>
      <MailLines
        lines={[
          ["Plan", facts.planName],
          ["Price", facts.price],
          ["Next charge", next.nextCharge],
        ]}
      />
      <p>
        It renews until you cancel it, which you can do at any time. There is nothing to do if you want to
        keep it.
      </p>
    </>
  );
  return billingMail(facts, {
    kind: "billing-reminder",
    subject: "Your subscription, once a year",
    children,
  });
}

export function cardFailedMail(
  facts: MailContext,
  failed: { sum: string; payLink: string | null; openUntil: string | null; nextTryOn: string | null },
) {
  const children = (
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
    </>
  );
  return billingMail(facts, {
    kind: "billing-card-failed",
    subject: "A payment did not go through",
    children,
  });
}
