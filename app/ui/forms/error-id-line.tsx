import styles from "./form.module.css";

/** What to quote when asking for help; nothing where nothing was refused. */
export function ErrorIdLine({ id }: { id: string | undefined }) {
  if (!id) return null;
  return (
    <p className={styles.errorId}>
      Error id: <code>{id}</code>
    </p>
  );
}
