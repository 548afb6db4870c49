import { LetterButton } from "#app/domain/mail/letter.tsx";
import { AgreedTerms, billingMail, type LetterFacts, LetterLines } from "./billing-mail.tsx";

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

/** Of one that is over before anything was paid for it. */
export function unbegunMail(
  facts: LetterFacts,
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
      <LetterLines lines={[["Plan", `${facts.planName}, ${facts.price}`]]} />
      {given.isMoneyOnItsWay ? (
        <p>
          What your bank has sent already may still arrive. It buys nothing any more: ask the operator of this
          site to pay it back.
        </p>
      ) : (
        <p>Nothing was paid.</p>
      )}
      <p>Your account is kept. You can subscribe whenever you like:</p>
      <LetterButton href={given.subscribeLink}>See the plans</LetterButton>
    </>
  );
  return billingMail(facts, {
    kind: "billing-unbegun",
    subject: given.isCancelled ? "Your cancellation is confirmed" : "Your subscription has not begun",
    isOver: true,
    children,
  });
}

/** The receipt of a withdrawal: what was declared, and when it was received. */
export function withdrawalMail(facts: LetterFacts, { at, terms }: { at: string; terms: string | null }) {
  const children = (
    <>
      <p>
        We have received your withdrawal from the contract for your subscription. It ends at once, and nothing
        more is charged.
      </p>
      <LetterLines
        lines={[
          ["Plan", `${facts.planName}, ${facts.price}`],
          ["Received on", at],
        ]}
      />
      <p>
        Nothing is paid back by itself. The operator of this site pays back what the law gives you, within 14
        days and the way you have paid.
      </p>
      <AgreedTerms text={terms} />
    </>
  );
  return billingMail(facts, {
    kind: "billing-withdrawal",
    subject: "Your withdrawal is received",
    isOver: true,
    children,
  });
}
