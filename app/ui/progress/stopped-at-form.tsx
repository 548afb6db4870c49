import { Form } from "@remix-run/react";
import { buttonClass } from "#app/ui/parts/button.tsx";
import styles from "./progress.module.css";

interface StoppedAtFormProps {
  error: string | undefined;
  typed: string;
}

/** Without JavaScript the player cannot report its position. */
export function StoppedAtForm({ error, typed }: StoppedAtFormProps) {
  return (
    <noscript>
      <Form method="post" className={styles.stopped}>
        <label>
          I stopped at
          <input
            name="stoppedAt"
            defaultValue={typed}
            placeholder="12:40"
            autoComplete="off"
            required
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? "stopped-at-problem" : undefined}
          />
        </label>
        <button type="submit" className={buttonClass("quiet")}>
          Save
        </button>
        {error ? (
          <p id="stopped-at-problem" role="alert" className={styles.error}>
            {error}
          </p>
        ) : null}
      </Form>
    </noscript>
  );
}
