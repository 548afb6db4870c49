import { Link } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { FINAL_CANCELLATION } from "#app/texts.ts";
import { DownIcon } from "#app/ui/parts/icons.tsx";
import styles from "./questions.module.css";

interface QuestionsProps {
  /** A cancellation cannot be undone. */
  isFinal: boolean;
  /** Nothing renews. */
  isPrepaid: boolean;
}

export function Questions({ isFinal, isPrepaid }: QuestionsProps) {
  return (
    <div className={styles.questions}>
      {isPrepaid ? <AboutPeriods /> : <AboutRenewals isFinal={isFinal} />}
      <details>
        <summary>
          What happens to my favorites? <DownIcon size={20} />
        </summary>
        <p>
          They stay yours, and so does your progress in everything you have started, whether you come back or
          not. You can delete all of it with your account at any time.
        </p>
      </details>
      <details>
        <summary>
          Who sees what I watch? <DownIcon size={20} />
        </summary>
        <p>
          No other visitor, and no company. There are no trackers on this site. The payment provider learns
          that you pay for a subscription here, but not what you watch. We store your progress so that you can
          continue where you stopped. Only the people who run the site's machine could read it, and you can
          delete it in your history at any time.
        </p>
      </details>
    </div>
  );
}

function AboutPeriods() {
  return (
    <>
      <details>
        <summary>
          Does it renew? <DownIcon size={20} />
        </summary>
        <p>
          No. You pay for one period, and nothing is charged after it, so there is nothing to cancel. You keep
          your access until the end of the period.
        </p>
      </details>
      <details>
        <summary>
          How do I go on? <DownIcon size={20} />
        </summary>
        <p>
          Pay for another period, from two weeks before the end. It begins when the present one ends, so you
          lose no time. We email you seven days and one day before the end.
        </p>
      </details>
      <details>
        <summary>
          When does my access begin? <DownIcon size={20} />
        </summary>
        <p>
          As soon as your payment is confirmed. That takes seconds or up to an hour, depending on how you pay.
          If you pay too little, the payment gives you no access, and we email you.
        </p>
      </details>
    </>
  );
}

function AboutRenewals({ isFinal }: Pick<QuestionsProps, "isFinal">) {
  return (
    <>
      <details>
        <summary>
          How do I cancel? <DownIcon size={20} />
        </summary>
        <p>
          In <Link to={paths.account()}>your account</Link>, in two clicks, without giving a reason. Every
          email about your payments also has a link that cancels without signing in.
        </p>
      </details>
      <details>
        <summary>
          What happens when I cancel? <DownIcon size={20} />
        </summary>
        <p>
          Your subscription does not renew, and you keep your access until the end of the period you have paid
          for, or of your free trial. If you still have to pay for a change of plan, the page that confirms
          the cancellation shows the amount.{" "}
          {isFinal ? FINAL_CANCELLATION : "You can undo the cancellation with one click until that day."} We
          confirm all this by email.
        </p>
      </details>
      <details>
        <summary>
          Will I be told before I am charged? <DownIcon size={20} />
        </summary>
        <p>
          We show the day of your first charge beside the button that leads to payment, and in the email you
          get when you subscribe. We email you before a trial of more than a week ends, before a yearly plan
          renews, and after every payment.
        </p>
      </details>
    </>
  );
}
