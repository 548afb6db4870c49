import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";

const SHOWN_PIXELS = 96;

export function AvatarForm({ avatarUrl }: { avatarUrl: string | null }) {
  return (
    <section className={styles.form}>
      <h2>Picture</h2>
      {avatarUrl !== null && (
        <img src={avatarUrl} alt="How others see you" width={SHOWN_PIXELS} height={SHOWN_PIXELS} />
      )}
      <Form
        method="post"
        action={paths.accountAction("avatar")}
        encType="multipart/form-data"
        className={styles.form}
      >
        <div className={styles.field}>
          <label htmlFor="avatar">Picture file, up to 5 MB</label>
          <input id="avatar" name="avatar" type="file" accept="image/*" required />
        </div>
        <button type="submit" className={buttonClass("quiet")}>
          Upload
        </button>
      </Form>
      {avatarUrl !== null && (
        <Form method="post" action={paths.accountAction("avatar-removal")}>
          <button type="submit" className={buttonClass("quiet")}>
            Remove picture
          </button>
        </Form>
      )}
    </section>
  );
}
