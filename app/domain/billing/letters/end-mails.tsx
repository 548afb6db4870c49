import { LetterButton } from "#app/domain/mail/letter.tsx";
import { billingMail, type LetterFacts, LetterLines } from "./billing-mail.tsx";

/** The receipt of a cancellation. */
export function cancelledMail(
  facts: LetterFacts,
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
      <LetterLines
        lines={[
          ["Plan", `${facts.planName}, ${facts.price}`],
          ["Cancelled on", cancelled.on],
          ["Ends on", cancelled.endsOn],
        ]}
      />
      <p>Your favorites and your places are kept. You can change your mind until it ends:</p>
      <LetterButton href={facts.accountLink}>Keep my subscription</LetterButton>
    </>
  );
  return billingMail(facts, {
    kind: "billing-cancelled",
    subject: "Your cancellation is confirmed",
    isOver: true,
    children,
  });
}

export function endedMail(facts: LetterFacts, ended: { on: string; subscribeLink: string }) {
  const children = (
    <>
      <p>Your subscription ended on {ended.on}. Nothing more is charged.</p>
      <LetterLines lines={[["Plan", `${facts.planName}, ${facts.price}`]]} />
      <p>Your account, your favorites and your places are kept. You can subscribe again whenever you like:</p>
      <LetterButton href={ended.subscribeLink}>Subscribe again</LetterButton>
    </>
  );
  return billingMail(facts, {
    kind: "billing-ended",
    subject: "Your subscription has ended",
    isOver: true,
    children,
  });
}
