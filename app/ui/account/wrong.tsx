import styles from "./account.module.css";

/** Why a field that is not one of Mantine's was refused; the field names it as its description. */
export function Wrong({ id, children }: { id: string; children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p id={id} className={styles.wrong}>
      {children}
    </p>
  );
}
