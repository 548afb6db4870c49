import { Button } from "@mantine/core";
import "#app/ui/theme/mantine.css";
import type { UploadFormLimits } from "./form-troubles.ts";
import styles from "./upload.module.css";

interface UploadFormProps {
  action: string;
  /** Without nginx, all of a form has to arrive while the site waits for it. */
  isBuffered: boolean;
  limits: UploadFormLimits;
}

/** For browsers without scripts. */
export function UploadForm({ action, isBuffered, limits }: UploadFormProps) {
  return (
    <form method="post" action={action} encType="multipart/form-data" className={styles.form}>
      <label className={styles.field}>
        <span>Files</span>
        <input type="file" name="files" multiple required />
      </label>
      <p className={styles.muted}>
        Up to {limits.files} files and {limits.size} together. Pictures that are sent together become one
        photo set.{" "}
        {isBuffered
          ? "Keep the page open until the next one comes."
          : "All of it has to arrive within two minutes: at 10 Mbit/s that is 150 MB."}{" "}
        With JavaScript, larger files, folders and uploads that go on after an interruption work, too.
      </p>
      <div>
        <Button type="submit">Upload</Button>
      </div>
    </form>
  );
}
