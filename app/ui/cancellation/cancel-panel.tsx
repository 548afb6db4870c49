import { Button } from "@mantine/core";
import { Link } from "@remix-run/react";
import type { ComponentProps, ReactNode } from "react";
import type { CancellationView } from "#app/domain/billing/cancellation/cancel.server.ts";
import type { CancellationOutcome } from "#app/domain/billing/cancellation/change-subscription.server.ts";
import { paths } from "#app/paths.ts";
import "#app/ui/theme/mantine.css";
import { FINAL_CANCELLATION } from "#app/texts.ts";
import { type BoxState, DecisionForm } from "#app/ui/forms/decision-form.tsx";
import { Facts } from "#app/ui/forms/facts.tsx";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useContactText } from "#app/ui/parts/contact.tsx";
import { ReasonForm, ReasonThanks } from "./reason-form.tsx";

interface CancelPanelProps extends CancellationView {
  action: string;
  box: BoxState;
  error: string | undefined;
  errorId: string | undefined;
  /** Confirmed by the provider, but not in our rows yet. */
  isUnseen: boolean;
  refusedReason: ComponentProps<typeof ReasonForm>["refused"];
  undo: ReactNode;
}

export function CancelPanel(props: CancelPanelProps) {
  const { planName, price, cancellation, requestedAt, action, box, isUnseen, undo, error, errorId } = props;
  const contact = useContactText();
  if (isUnseen) {
    return (
      <Panel title="Your cancellation is confirmed">
        <p>
          The payment provider has confirmed it, and the subscription will not renew. This site will show it
          within a few minutes, and we will email you.
        </p>
      </Panel>
    );
  }
  if (cancellation.kind === "over") {
    return (
      <Panel title="This subscription has ended">
        {cancellation.endedOn !== null && <p>It ended on {cancellation.endedOn}.</p>}
        <Button component={Link} to={paths.subscribe()}>
          Subscribe again
        </Button>
        <Reason {...props} />
      </Panel>
    );
  }
  if (cancellation.kind === "prepaid") {
    return (
      <Panel title="There is nothing to cancel">
        <p>
          Your subscription is paid until {cancellation.endsOn} and does not renew. You keep your access until
          then, and you will not be charged again.
        </p>
      </Panel>
    );
  }
  if (cancellation.kind === "unknownToProvider") {
    return (
      <Panel
        title="This subscription cannot be canceled here"
        error={unknownToProviderError(contact)}
        errorId={errorId}
      >
        <p>
          You keep your access until the end of the time you paid for, and this site will not charge you
          again.
        </p>
      </Panel>
    );
  }
  const refused = { error, errorId };
  const plan = (ends: string) => (
    <Facts
      facts={[
        ["Plan", planName],
        ["Price", price],
        ["Ends", ends],
      ]}
    />
  );
  const keep = props.canKeep && (
    <>
      {props.keptCharge && <p>{props.keptCharge}</p>}
      {undo}
    </>
  );
  if (cancellation.kind === "ending" && props.moved !== null) {
    return (
      <Panel
        title={`Your ${cancellation.isTrial ? "trial" : "subscription"} ends on ${cancellation.endsOn}`}
        {...refused}
      >
        {plan(cancellation.endsOn)}
        <p>
          {props.moved} {props.lastCharge}
        </p>
      </Panel>
    );
  }
  if (cancellation.kind === "ending") {
    const title = cancellation.isTrial ? "Your trial is canceled" : "Your subscription is canceled";
    return (
      <Panel title={title} {...refused}>
        {plan(cancellation.endsOn)}
        <p>
          You keep your access until {cancellation.endsOn}. We confirm this by email. {props.lastCharge}{" "}
          {props.soldAgain}
        </p>
        {keep}
        <Reason {...props} />
      </Panel>
    );
  }
  const isNow = cancellation.kind === "now";
  const ends = isNow ? "At once" : (cancellation.endsOn ?? "At the end of its period");
  if (requestedAt !== null) {
    return (
      <Panel title="Your cancellation is recorded" {...refused}>
        <p>
          We could not reach the payment provider. Your cancellation is recorded as of {requestedAt}, and we
          will pass it on as soon as the provider answers. We will then confirm it by email, so you do not
          need to come back.
        </p>
        {plan(ends)}
        {keep}
        <Reason {...props} />
      </Panel>
    );
  }
  const thing = !isNow && cancellation.isTrial ? "trial" : "subscription";
  return (
    <Panel title={`Cancel your ${thing}`} {...refused}>
      {plan(ends)}
      <p>{isNow ? endsNowText(cancellation.why, contact) : endsLaterText(cancellation)}</p>
      <p>
        You keep your account, your favorites and your progress.
        {!props.canKeep &&
          ` ${isNow ? "This cannot be undone, but you can subscribe again at any time." : FINAL_CANCELLATION}`}
      </p>
      <DecisionForm action={action} intent="cancel" box={box} sentence={`Yes, I want to cancel my ${thing}.`}>
        <SubmitButton variant="outline" color="red" busyLabel="Canceling …">
          {`Cancel my ${thing}`}
        </SubmitButton>
      </DecisionForm>
    </Panel>
  );
}

function Reason({ reason, action, commentLimit, refusedReason }: CancelPanelProps) {
  if (reason === null) return null;
  if (reason === "given") return <ReasonThanks />;
  return <ReasonForm action={action} commentLimit={commentLimit} refused={refusedReason} />;
}

interface PanelProps {
  title: string;
  error?: string | undefined;
  errorId?: string | undefined;
  children: ReactNode;
}

function Panel({ title, error, errorId, children }: PanelProps) {
  return (
    <div className={styles.column}>
      <h1>{title}</h1>
      <FormError id="cancel-problem">{error}</FormError>
      <ErrorIdLine id={errorId} />
      {children}
    </div>
  );
}

function endsNowText(why: keyof typeof NOW | "paymentPending", contact: string): string {
  if (why !== "paymentPending") return NOW[why];
  return `Your bank is still sending the money for it, so there is no paid time left and it ends at once. We cannot stop money that the bank has already sent. It may still arrive, but it will not give you access. To get it back, write to ${contact}.`;
}

const NOW = {
  unpaid:
    "Its last payment did not go through, so there is no paid time left. It ends at once, and you will not be charged again.",
  unbegun:
    "Its first payment is not complete, so it has not started. It closes at once, and you will not be charged.",
  paused: "It is paused, so there is no paid time left. It ends at once, and you will not be charged again.",
};

function endsLaterText({ isTrial, endsOn }: { isTrial: boolean; endsOn: string | null }): string {
  if (endsOn === null) return "It ends with the period you have paid for and does not renew.";
  if (isTrial) return `Your trial runs until ${endsOn} and then ends. You will not be charged.`;
  return `You keep your access until ${endsOn}. The subscription then ends and does not renew.`;
}

const NOT_DONE = { cancel: "not canceled yet", keep: "still canceled", resume: "still paused" };

export function cancellationError(
  intent: keyof typeof NOT_DONE,
  outcome: CancellationOutcome | "unticked" | "refusedReason" | undefined,
  contact: string,
): string | undefined {
  if (outcome === "unknownToProvider") return unknownToProviderError(contact);
  if (outcome === "unreachable") {
    return `We could not reach the payment provider, so your subscription is ${NOT_DONE[intent]}. Please try again in a minute. It is safe to press the button twice.`;
  }
  return undefined;
}

function unknownToProviderError(contact: string): string {
  return `You bought this subscription through a payment account that this site no longer uses, so you cannot change it here. Please write to ${contact}.`;
}
