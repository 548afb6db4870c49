import styles from "./waiting.module.css";

interface Help {
  id: string;
  title: string;
  about: string;
  command?: string;
  after: string;
}

/** docs/operations.md, "What the studio cannot solve", says the same to hosts. */
const HELP: Help[] = [
  {
    id: "first-plans",
    title: "Offer a plan",
    about:
      "Set up a payment provider, and restart the site; docs/payments.md has every step. If the provider has a catalog, create a product with its prices there. Then this command adds your plans to the Subscribe page:",
    command: "npm run billing:sync",
    after:
      "Prices and trials of a catalog are changed at the payment provider. For a provider without one, add your prices on the page Plans of the studio.",
  },
  {
    id: "first-backup",
    title: "Turn on nightly backups",
    about:
      "Set BACKUP_DIR to a folder on another disk, and restart the site. This command says whether it can be used:",
    command: "npm run doctor",
    after:
      "The first backup is made at 2:30 UTC. To make one now: npm run backup -- followed by the path of a new file. If you back up by other means, set BACKUP_DIR=off.",
  },
  {
    id: "failed-jobs",
    title: "A job failed",
    about:
      "Look for “job failed” in the site’s log: the line says why. npm run doctor says what else is wrong. Fix the cause, then run this command to try the job again:",
    command: "npm run jobs:retry",
    after: "If the line names billing-event, run npm run billing:reconcile too.",
  },
  {
    id: "unsent-mails",
    title: "An email was not sent",
    about: "This command tests the mail server and says what to change in SMTP_URL:",
    command: "npm run doctor",
    after:
      "The site retries a waiting email for eleven minutes. After that, npm run jobs:retry still sends it for a day. Until then, nobody can sign in by email.",
  },
  {
    id: "many-sign-ins",
    title: "Many sign-in emails were requested",
    about:
      "If the site has just been recommended somewhere, wait for an hour. If not, somebody may be using up the emails, so that newcomers get none: look in your proxy’s log for addresses that post to /signin again and again, and block them there.",
    after: "One network can use up a quarter of these emails, and members have some of their own.",
  },
  {
    id: "late-payments",
    title: "A payment event was not processed",
    about:
      "The site could not reach the payment provider, or did not understand its answer. Look for “job failed” with billing-event in the site’s log. This command compares everything with the provider:",
    command: "npm run billing:reconcile",
    after: "The site also retries the event every hour.",
  },
  {
    id: "refused-events",
    title: "All calls of the payment provider were refused",
    about: "This command names the reason, and says what to enter at the provider:",
    command: "npm run doctor",
    after:
      "The site compares everything with the provider every night, so nothing is lost, but access and emails come late. This section disappears with the first call that is accepted.",
  },
  {
    id: "missing-payments",
    title: "Payments have not been confirmed",
    about:
      "Renewals are due, and the payment provider has told of none; or it does not answer questions about a new subscription. This command checks its login and its webhook:",
    command: "npm run doctor",
    after: "When it works again, npm run billing:reconcile compares everything at once.",
  },
  {
    id: "late-backup",
    title: "No nightly backup was made",
    about: "This command says whether the folder in BACKUP_DIR is missing, full or not writable:",
    command: "npm run doctor",
    after:
      "Then make a backup now: npm run backup -- followed by the path of a new file. This section disappears after the next nightly backup, at 2:30 UTC.",
  },
  {
    id: "low-disk",
    title: "The disk is nearly full",
    about: "This command lists stored files that belong to no item:",
    command: "npm run media:check",
    after: "Delete old backups and the files of other programs, or move DATA_DIR to a larger disk.",
  },
];

export function MachineHelp({ anchors }: { anchors: string[] }) {
  const needed = HELP.filter(({ id }) => anchors.includes(`#${id}`));
  if (needed.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="machine-title">
      <h2 id="machine-title">On the server</h2>
      <p className={styles.muted}>
        Open a terminal in the site’s folder. If the site runs in a container, put docker exec and the
        container’s name before each command.
      </p>
      <ul className={styles.lines}>
        {needed.map(({ id, title, about, command, after }) => (
          <li key={id} id={id}>
            <h3>{title}</h3>
            <p>{about}</p>
            {command !== undefined && (
              <p>
                <code>{command}</code>
              </p>
            )}
            <p className={styles.muted}>{after}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
