import { Link } from "@remix-run/react";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "./error-page.module.css";
import type { ErrorText } from "./error-texts.ts";

interface ErrorPageProps {
  text: ErrorText;
  /** What to quote when asking for help; absent when the answer names no request. */
  errorId?: string | undefined;
}

export function ErrorPage({ text, errorId }: ErrorPageProps) {
  return (
    <div className={styles.page}>
      <h1>{text.title}</h1>
      <p className={styles.sentence}>{text.sentence}</p>
      <Link to={text.next.to} className={buttonClass()}>
        {text.next.label}
      </Link>
      {errorId ? (
        <p className={styles.id}>
          Error id: <code>{errorId}</code>
        </p>
      ) : null}
    </div>
  );
}
