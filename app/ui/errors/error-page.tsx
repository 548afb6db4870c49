import { Link } from "@remix-run/react";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { ContactLink, useContactEmail } from "#app/ui/parts/contact.tsx";
import styles from "./error-page.module.css";
import type { ErrorText } from "./error-texts.ts";

interface ErrorPageProps {
  text: ErrorText;
  errorId?: string | undefined;
}

export function ErrorPage({ text, errorId }: ErrorPageProps) {
  const contactEmail = useContactEmail();
  return (
    <div className={styles.page}>
      <h1>{text.title}</h1>
      <p className={styles.sentence}>{text.sentence}</p>
      <Link to={text.next.to} className={buttonClass()}>
        {text.next.label}
      </Link>
      {contactEmail !== null && (
        <p className={styles.help}>
          Still stuck? Write to <ContactLink />
          {errorId ? " and name the error id." : "."}
        </p>
      )}
      {errorId ? (
        <p className={styles.id}>
          Error id: <code>{errorId}</code>
        </p>
      ) : null}
    </div>
  );
}
