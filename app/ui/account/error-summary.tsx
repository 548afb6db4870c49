import type { SubmissionResult } from "@conform-to/react";
import { Stack } from "@mantine/core";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import "#app/ui/theme/mantine.css";
import { AVATAR_FIELD_ID } from "./avatar-form.tsx";
import { CONFIRM_FIELD_ID } from "./delete-form.tsx";
import { PROFILE_FORM_ID, PROFILE_LABELS } from "./profile-form.tsx";

export interface AccountRefusal {
  profile?: SubmissionResult<string[]>;
  avatar?: string;
  removal?: string;
  form?: string;
  errorId?: string;
}

interface ErrorLine {
  fieldId: string | null;
  words: string;
}

/** Stands at the top, where a browser without JavaScript starts reading. */
export function ErrorSummary({ refusal }: { refusal: AccountRefusal | undefined }) {
  const lines = refusal === undefined ? [] : linesOf(refusal);
  if (lines.length === 0) return null;
  return (
    <FormError>
      <Stack gap="xs">
        <p>
          <strong>Nothing was changed.</strong> Please check:
        </p>
        <ul>
          {lines.map(({ fieldId, words }) => (
            <li key={fieldId}>{fieldId === null ? words : <a href={`#${fieldId}`}>{words}</a>}</li>
          ))}
        </ul>
        <ErrorIdLine id={refusal?.errorId} />
      </Stack>
    </FormError>
  );
}

function linesOf({ profile, avatar, removal, form }: AccountRefusal): ErrorLine[] {
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
    ...(form === undefined ? [] : [{ fieldId: null, words: form }]),
    ...(removal === undefined ? [] : [{ fieldId: CONFIRM_FIELD_ID, words: removal }]),
  ];
}
