import { Form } from "@remix-run/react";
import { buttonClass } from "#app/ui/button.tsx";
import { Problem } from "#app/ui/forms/problem.tsx";
import styles from "#app/ui/viewing/viewing.module.css";

interface StoppedAtFormProps {
  /** Why the last one was refused, and what was typed. */
  problem: string | undefined;
  typed: string;
}

/** A browser that runs no script cannot say where a film was left: the person can. */
export function StoppedAtForm({ problem, typed }: StoppedAtFormProps) {
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
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? "stopped-at-problem" : undefined}
          />
        </label>
        <button type="submit" className={buttonClass("quiet")}>
          Remember
        </button>
        <Problem id="stopped-at-problem">{problem}</Problem>
      </Form>
    </noscript>
  );
}
