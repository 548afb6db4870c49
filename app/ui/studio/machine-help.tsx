import styles from "./waiting.module.css";

interface Help {
  id: string;
  title: string;
  about: string;
  command: string;
  after: string;
}

/** As in docs/operations.md, "What the studio cannot solve". No page does these yet. */
const HELP: Help[] = [
  {
    id: "failed-jobs",
    title: "A job failed",
    about:
      "The site's log has a line “job failed” with the reason; npm run doctor says what else to mend. Once it is mended, this command lets the site try again:",
    command: "npm run jobs:retry",
    after: "When the line names billing-event, run npm run billing:reconcile as well.",
  },
  {
    id: "unsent-mails",
    title: "A mail is not sent",
    about: "This command tries the mail server and says what to change in SMTP_URL:",
    command: "npm run doctor",
    after:
      "Mails that wait are then sent by themselves for eleven minutes, and for a day by npm run jobs:retry. Until then nobody can sign in by mail.",
  },
  {
    id: "late-payments",
    title: "A payment event has no effect",
    about:
      "The payment provider was not reached, or its answer not understood: the site's log has a line “job failed” with billing-event. This command compares everything with the provider:",
    command: "npm run billing:reconcile",
    after: "The event itself is tried again every hour.",
  },
  {
    id: "late-backup",
    title: "No nightly backup was made",
    about: "This command says whether the folder of BACKUP_DIR is absent, full or not writable:",
    command: "npm run doctor",
    after:
      "Then make one at once, by npm run backup -- and the path of a file. The line goes with the backup of the next night, at 2:30 UTC.",
  },
  {
    id: "low-disk",
    title: "The disk is nearly full",
    about: "This command lists stored files that belong to no item:",
    command: "npm run media:check",
    after: "Delete old backups and files of other programs, or move DATA_DIR to a larger disk.",
  },
];

/** For the lines that link here. */
export function MachineHelp({ anchors }: { anchors: string[] }) {
  const needed = HELP.filter(({ id }) => anchors.includes(`#${id}`));
  if (needed.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="machine-title">
      <h2 id="machine-title">On the site's machine</h2>
      <p className={styles.muted}>
        Open a terminal there, in the site's folder. In a container, write docker exec and its name before the
        command.
      </p>
      <ul className={styles.lines}>
        {needed.map(({ id, title, about, command, after }) => (
          <li key={id} id={id}>
            <h3>{title}</h3>
            <p>{about}</p>
            <p>
              <code>{command}</code>
            </p>
            <p className={styles.muted}>{after}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
