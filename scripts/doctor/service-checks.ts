import { config } from "#app/config.server.ts";
import { verifySmtp } from "#app/domain/mail/smtp.server.ts";
import { paymentWarning } from "../supervisor/payment-warning.ts";
import { type Check, fix, ok } from "./check.ts";

export function serviceChecks(): Check[] {
  return [
    {
      name: "mail",
      run: async () => {
        const { smtpUrl } = config.mail;
        if (smtpUrl === undefined) return ok("the demo shows its mails at /outbox");
        await verifySmtp(smtpUrl);
        return ok("the mail server takes this site's mails");
      },
      onFailure:
        "Nobody can sign in, because the mail server of SMTP_URL refuses: correct host, port, user and password",
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
      onFailure: "The settings of payments cannot be read",
    },
  ];
}
