import { Button } from "@mantine/core";
import "#app/ui/theme/mantine.css";
import type { UploadFormLimits } from "./form-troubles.ts";
import styles from "./upload.module.css";

interface UploadFormProps {
  action: string;
  /** Without nginx, the site itself waits for the whole form. */
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
        Up to {limits.files} files and {limits.size} in total. Pictures that you upload together become one
        photo set.{" "}
        {isBuffered
          ? "Keep this page open until the next one appears."
          : "The upload may take two minutes: at 10 Mbit/s, that is 150 MB."}{" "}
        With JavaScript, you can also upload larger files and folders, and resume after an interruption.
      </p>
      <div>
        <Button type="submit">Upload</Button>
      </div>
    </form>
  );
}
