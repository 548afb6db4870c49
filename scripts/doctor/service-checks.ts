import { config } from "#app/config.server.ts";
import { count } from "#app/counts.ts";
import { listRefusals, readRefusedEvents } from "#app/domain/billing/events/missed-events.server.ts";
import { listUnknownEvents } from "#app/domain/billing/events/receive-event.server.ts";
import { listPlans } from "#app/domain/billing/offers/plans.server.ts";
import {
  examineProviders,
  paymentWarnings,
  providers,
  sellingOffer,
  sellingProvider,
} from "#app/domain/billing/providers/providers.server.ts";
import { hasPaidItems } from "#app/domain/catalog/edit/studio-list/studio-list.server.ts";
import { verifySmtp } from "#app/domain/mail/smtp.server.ts";
import { type Check, fix, ok, reasonOf } from "./check.ts";
import { mailAdvice } from "./mail-advice.ts";

type UnknownEvents = Awaited<ReturnType<typeof listUnknownEvents>>[number];
type Refusal = Awaited<ReturnType<typeof listRefusals>>[number];

export function serviceChecks(): Check[] {
  return [
    {
      name: "mail",
      run: async () => {
        const { smtpUrl } = config.mail;
        if (smtpUrl === undefined) return ok("the demo shows its emails at /outbox");
        const failure = await verifySmtp(smtpUrl).then(() => null, reasonAndAdvice);
        return failure === null ? ok("the mail server accepts this site's emails") : fix(failure);
      },
      onFailure: mailAdvice(),
    },
    {
      name: "payments",
      run: async () => {
        const warnings = paymentWarnings();
        if (warnings.length > 0) return fix(warnings.join(" "));
        const { faults, setup } = await examineProviders();
        const unread = (await listUnknownEvents()).map(unreadLine);
        const wrong = [...faults, ...unread, ...(await refusalLines(setup))];
        if (wrong.length > 0) return fix(wrong.join(" "));
        const names = [...providers().keys()];
        const seller = sellingProvider()?.name;
        if (names.length > 0 && sellingOffer() === null && (await listPlans()).length === 0)
          return fix(`Nothing can be bought: there is no price that ${seller} can sell (docs/payments.md)`);
        const sells = names.length > 1 ? [`${seller} sells`] : [];
        if (names.length > 0)
          return ok(
            [
              `${names.join(" and ")}: everything is set; the next event will show whether it is right`,
              ...sells,
              ...setup,
            ].join("; "),
          );
        if (config.isDemo) return ok("simulated by the demo");
        if (!(await hasPaidItems())) return ok("nothing is for subscribers, so nothing has to be bought");
        return fix("Nothing can be bought: set up a payment provider (docs/payments.md)");
      },
      onFailure: "The payment settings or the items cannot be read",
    },
  ];
}

const ADVICE: Record<Refusal["why"], string> = {
  signature: "the secret of the webhook's signatures here and at the provider differ",
  address: "they do not come from the provider's addresses: behind a proxy, set TRUST_PROXY",
  token: "the last part of the webhook's address at the provider differs from the setting here",
  account: "they are about another account than the one in the settings",
  form: "the provider sends them in a form that this site cannot read",
};

async function refusalLines(setup: string[]): Promise<string[]> {
  if ((await readRefusedEvents()).since === null) return [];
  const lines = (await listRefusals()).map(
    ({ provider, why, amount }) =>
      `${count(amount, "call")} of ${provider} ${amount === 1 ? "was" : "were"} refused within a day: ${ADVICE[why]}.`,
  );
  return setup.length > 0 ? [...lines, `Check: ${setup.join("; ")}.`] : lines;
}

function unreadLine({ provider, type, amount, isUnlinked }: UnknownEvents): string {
  if (!isUnlinked) return `${provider} sent "${type}" (${amount}), which this site cannot read.`;
  const [came, it] = amount === 1 ? ["its event", "it"] : ["their events", "them"];
  return `${count(amount, "sale")} at ${provider} came without ${came}: link ${it} (docs/payments.md).`;
}

function reasonAndAdvice(error: unknown): string {
  return `${mailAdvice(error)} (${reasonOf(error)})`;
}
