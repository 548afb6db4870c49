import { config } from "#app/config.server.ts";
import { listUnknownEvents } from "#app/domain/billing/events/receive-event.server.ts";
import { listPlans } from "#app/domain/billing/offers/plans.server.ts";
import {
  examineProviders,
  paymentWarnings,
  providers,
  sellingOffer,
} from "#app/domain/billing/providers/providers.server.ts";
import { hasPaidItems } from "#app/domain/catalog/edit/studio-list/studio-list.server.ts";
import { verifySmtp } from "#app/domain/mail/smtp.server.ts";
import { type Check, fix, ok, reasonOf } from "./check.ts";
import { mailAdvice } from "./mail-advice.ts";

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
        const unread = (await listUnknownEvents()).map(
          ({ provider, type, amount }) =>
            `${provider} sent "${type}" (${amount}), which this site cannot read.`,
        );
        if (faults.length + unread.length > 0) return fix([...faults, ...unread].join(" "));
        const names = [...providers().keys()];
        if (names.length > 0 && sellingOffer() === null && (await listPlans()).length === 0)
          return fix(`Nothing can be bought: there is no price that ${names[0]} can sell (docs/payments.md)`);
        if (names.length > 0)
          return ok(
            [
              `${names.join(" and ")}: everything is set; the next event will show whether it is right`,
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

function reasonAndAdvice(error: unknown): string {
  return `${mailAdvice(error)} (${reasonOf(error)})`;
}
