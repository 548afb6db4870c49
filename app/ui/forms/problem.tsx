import styles from "./form.module.css";

/** Why a form was refused, announced to assistive technology. Nothing when there is no problem. */
export function Problem({ id, children }: { id: string; children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p id={id} className={styles.problem} role="alert">
      {children}
    </p>
  );
}
