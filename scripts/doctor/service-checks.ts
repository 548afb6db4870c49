import { config } from "#app/config.server.ts";
import { verifySmtp } from "#app/domain/mail/smtp.server.ts";
import { paymentWarning } from "../supervisor/start-warnings.ts";
import { type Check, fix, ok, reasonOf } from "./check.ts";
import { mailAdvice } from "./mail-advice.ts";

export function serviceChecks(): Check[] {
  return [
    {
      name: "mail",
      run: async () => {
        const { smtpUrl } = config.mail;
        if (smtpUrl === undefined) return ok("the demo shows its mails at /outbox");
        const failure = await verifySmtp(smtpUrl).then(() => null, reasonAndAdvice);
        return failure === null ? ok("the mail server takes this site's mails") : fix(failure);
      },
      onFailure: mailAdvice(),
    },
    {
      name: "payments",
      run: async () => {
        const warning = paymentWarning();
        if (warning !== null) return fix(warning);
        if (config.billing.stripe !== null)
          return ok("a webhook secret is set; whether it is the right one shows at the next event");
        if (config.isDemo) return ok("played by the demo");
        return fix("Nothing can be bought: set STRIPE_SECRET_KEY (docs/payments.md)");
      },
      onFailure: "The payment settings cannot be read",
    },
  ];
}

function reasonAndAdvice(error: unknown): string {
  return `${mailAdvice(error)} (${reasonOf(error)})`;
}
