import { Alert, Button, Group, Stack } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import type { AccountSubscription } from "#app/domain/billing/account/account-subscription.server.ts";
import type { CancellationState } from "#app/domain/billing/rules/cancellation-state.ts";
import type { OtherSubscription } from "#app/domain/billing/subscriptions/other-subscriptions.server.ts";
import { paths } from "#app/paths.ts";
import { Facts } from "#app/ui/forms/facts.tsx";
import forms from "#app/ui/forms/form.module.css";
import { NextStepButton, PortalButton } from "#app/ui/forms/next-step-button.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { BillerLink } from "#app/ui/parts/biller-link.tsx";
import { ContactLink } from "#app/ui/parts/contact.tsx";
import { ErrorIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./account.module.css";
import { InvoiceList } from "./invoice-list.tsx";

interface SubscriptionSectionProps extends AccountSubscription {
  cardExpiry: keyof typeof EXPIRY | null;
  billingMethod: string;
  paymentMethod: string;
}

const EXPIRY = { expired: "It has expired.", soon: "It expires soon.", later: null } as const;

export function SubscriptionSection(props: SubscriptionSectionProps) {
  const { sentence, plan, cardExpiry, invoices, others, purchase } = props;
  const canResume = props.isPaused && props.canCancel;
  const warning = cardExpiry && EXPIRY[cardExpiry];
  return (
    <>
      <p>{sentence}</p>
      {purchase && (
        <p>
          {purchase.sentence}
          {purchase.isOwed && (
            <>
              {" "}
              Write to <ContactLink />, and we will put it right.
            </>
          )}
        </p>
      )}
      <OtherSubscriptions others={others} />
      <Facts
        facts={[
          ...(plan === null
            ? []
            : ([
                ["Plan", `${plan.name}, ${plan.price}`],
                ["Next charge", plan.nextCharge ?? "None"],
              ] as const)),
          ...(props.biller ? ([["Charged by", <BillerLink key="biller" {...props.biller} />]] as const) : []),
          ...(props.statement ? ([["On your statement", props.statement]] as const) : []),
          ["Billing method", props.billingMethod],
          [
            "Payment method",
            <>
              {props.paymentMethod}
              {warning && <strong className={forms.wrong}> {warning}</strong>}
            </>,
          ],
        ]}
      />
      {canResume && plan && <ResumeForm price={plan.price} />}
      <Actions {...props} />
      {props.withdrawalDays !== null && <WithdrawLine days={props.withdrawalDays} />}
      <h3 className={styles.minor}>Invoices</h3>
      <InvoiceList invoices={invoices} />
    </>
  );
}

const WITHOUT_CHANGES: CancellationState["kind"][] = ["over", "prepaid", "unknownToProvider"];

/** The law requires this wording. */
function WithdrawLine({ days }: { days: number }) {
  return (
    <p className={styles.muted}>
      For {days} days after subscribing: <Link to={paths.withdraw()}>withdraw from the contract here</Link>.
    </p>
  );
}

function Actions({
  next,
  cancellation,
  canCancel,
  canKeep,
  keptCharge,
  hasPortal,
  isPaused,
}: SubscriptionSectionProps) {
  if (cancellation === null || WITHOUT_CHANGES.includes(cancellation.kind))
    return <NextStepButton {...next} />;
  return (
    <Stack gap="sm">
      {!canCancel && keptCharge && <p>{keptCharge}</p>}
      <Group gap="sm">
        {!canCancel && (canKeep ? <KeepForm /> : <NextStepButton {...next} />)}
        {(next.isPosted || cancellation.kind === "now") && !isPaused && canCancel && (
          <NextStepButton {...next} />
        )}
        {hasPortal && !next.isPosted && <PortalButton />}
        {canCancel && (
          <Button component={Link} to={paths.accountAction("subscription")} variant="default">
            {cancellation.kind === "atPeriodEnd" && cancellation.isTrial
              ? "Cancel trial"
              : "Cancel subscription"}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function OtherSubscriptions({ others }: { others: OtherSubscription[] }) {
  return others.map(({ id, name, price }) => (
    <Alert key={id} role="note" color="red" icon={<ErrorIcon />}>
      You are also charged for another subscription: {name}, {price}. If you want only one,{" "}
      <Link to={paths.accountAction("subscription", { subscription: id })}>cancel the other</Link>. If you
      were charged twice, write to <ContactLink />.
    </Alert>
  ));
}

export function KeepForm({ subscription }: { subscription?: string | undefined }) {
  return (
    <Form method="post" action={paths.accountAction("subscription", { subscription })}>
      <input type="hidden" name="intent" value="keep" />
      <SubmitButton isOurs={(sent) => sent.get("intent") === "keep"} busyLabel="One moment …">
        Keep my subscription
      </SubmitButton>
    </Form>
  );
}

/** Ends a pause and charges the member, so the price stands above the button. */
function ResumeForm({ price }: { price: string }) {
  return (
    <Form method="post" action={paths.accountAction("subscription")}>
      <input type="hidden" name="intent" value="resume" />
      <Stack gap="lg">
        <p>
          When you resume, a new period begins. You pay {price}, before discounts and tax, at once and then at
          the beginning of each period, until you cancel.
        </p>
        <SubmitButton isOurs={(sent) => sent.get("intent") === "resume"} busyLabel="One moment …">
          Resume and pay
        </SubmitButton>
      </Stack>
    </Form>
  );
}

interface Card {
  brand: string;
  last4: string | null;
  expMonth: number | null;
  expYear: number | null;
}

/** For these, the provider's own names would not be understood. */
const BRANDS: Record<string, string> = {
  us_bank_account: "Bank debit",
  acss_debit: "Bank debit",
  au_becs_debit: "BECS debit",
  sepa_debit: "SEPA debit",
  bacs_debit: "Bacs Direct Debit",
  cashapp: "Cash App",
  paypal: "PayPal",
};

const BILLING_METHODS: Record<string, string> = {
  charge_automatically: "Charged automatically",
  send_invoice: "By invoice",
};

/** Returns "Visa ending in 4242, valid to 04/2027", "SEPA debit ending in 3000" or "PayPal". */
export function cardText(card: Card | null): string {
  if (card === null) return "None";
  const { brand, last4, expMonth, expYear } = card;
  const words = brand.replaceAll("_", " ");
  const name = BRANDS[brand] ?? words.charAt(0).toUpperCase() + words.slice(1);
  const ending = last4 === null ? "" : ` ending in ${last4}`;
  if (expMonth === null || expYear === null) return name + ending;
  return `${name}${ending}, valid to ${String(expMonth).padStart(2, "0")}/${expYear}`;
}

export function billingMethodText(method: string | null): string {
  return method === null ? "None" : (BILLING_METHODS[method] ?? method);
}
