import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import styles from "./account.module.css";
import { Wrong } from "./wrong.tsx";

export const AVATAR_FIELD_ID = "avatar";
const WRONG_ID = "avatar-error";
const HINT_ID = "avatar-hint";
const SHOWN_PIXELS = 96;

interface AvatarFormProps {
  avatarUrl: string | null;
  /** Shown as long as there is no picture. */
  initials: string;
  problem: string | undefined;
}

export function AvatarForm({ avatarUrl, initials, problem }: AvatarFormProps) {
  return (
    <>
      <div className={styles.picture}>
        {avatarUrl === null ? (
          <span className={styles.portrait} aria-hidden="true">
            {initials}
          </span>
        ) : (
          <img
            className={styles.portrait}
            src={avatarUrl}
            alt="Your profile"
            width={SHOWN_PIXELS}
            height={SHOWN_PIXELS}
          />
        )}
        {avatarUrl !== null && (
          <Form method="post" action={paths.accountAction("avatar-removal")} preventScrollReset>
            <button type="submit" className={buttonClass("quiet")}>
              Remove picture
            </button>
          </Form>
        )}
      </div>
      <Form
        method="post"
        action={paths.account()}
        encType="multipart/form-data"
        preventScrollReset
        className={styles.form}
      >
        <div className={styles.file}>
          <label htmlFor={AVATAR_FIELD_ID}>{avatarUrl === null ? "Picture file" : "Another picture"}</label>
          <input
            id={AVATAR_FIELD_ID}
            name="avatar"
            type="file"
            accept="image/*"
            aria-invalid={problem === undefined ? undefined : true}
            aria-describedby={problem === undefined ? HINT_ID : `${WRONG_ID} ${HINT_ID}`}
          />
          <Wrong id={WRONG_ID}>{problem}</Wrong>
          <p id={HINT_ID} className={styles.muted}>
            JPEG, PNG or WebP, up to 5 MB. It is cut to a square.
          </p>
        </div>
        <SubmitButton variant="quiet" isOurs={(sent) => sent.has("avatar")} busyWords="Uploading …">
          Upload picture
        </SubmitButton>
      </Form>
    </>
  );
}
