import { ErrorIdLine } from "#app/ui/forms/error-id-line.tsx";
import styles from "./account.module.css";
import type { AccountRefusal } from "./account-refusal.ts";
import { AVATAR_FIELD_ID } from "./avatar-form.tsx";
import { CONFIRM_FIELD_ID } from "./delete-form.tsx";
import { PROFILE_FORM_ID, PROFILE_LABELS } from "./profile-labels.ts";

interface Problem {
  fieldId: string;
  words: string;
}

/** At the top of the page, where a browser without JavaScript begins: what was refused, and the way to it. */
export function ProblemSummary({ refusal }: { refusal: AccountRefusal | undefined }) {
  const problems = refusal === undefined ? [] : problemsOf(refusal);
  if (problems.length === 0) return null;
  return (
    <div role="alert" className={styles.problems}>
      <p>
        <strong>Nothing was changed.</strong> Please look at this once more:
      </p>
      <ul>
        {problems.map(({ fieldId, words }) => (
          <li key={fieldId}>
            <a href={`#${fieldId}`}>{words}</a>
          </li>
        ))}
      </ul>
      <ErrorIdLine id={refusal?.errorId} />
    </div>
  );
}

function problemsOf({ profile, avatar, removal }: AccountRefusal): Problem[] {
  const errors = profile?.error ?? {};
  const fields = Object.entries(PROFILE_LABELS).flatMap(([name, label]) => {
    const why = errors[name]?.[0];
    return why === undefined ? [] : [{ fieldId: `${PROFILE_FORM_ID}-${name}`, words: `${label}: ${why}` }];
  });
  const whole = errors[""]?.[0];
  return [
    ...(whole === undefined ? [] : [{ fieldId: PROFILE_FORM_ID, words: whole }]),
    ...fields,
    ...(avatar === undefined ? [] : [{ fieldId: AVATAR_FIELD_ID, words: avatar }]),
    ...(removal === undefined ? [] : [{ fieldId: CONFIRM_FIELD_ID, words: removal }]),
  ];
}
