import { Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { PictureKind } from "#app/domain/site/settings.ts";
import { withQuery } from "#app/paths.ts";
import { PictureField, UPLOADED_PICTURE } from "#app/ui/forms/picture-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";
import { type EditedSettings, SettingSection } from "./setting-section.tsx";
import styles from "./settings.module.css";

interface Picture {
  src: string;
  width: number;
  height: number;
}

interface PictureSectionProps extends EditedSettings {
  name: PictureKind;
  /** Null for the default picture. */
  stored: Picture | null;
  uploaded: Picture | null;
  siteName: string;
}

const ABOUT: Record<PictureKind, string> = {
  logo: "It replaces the name at the top of every page, 32 pixels high. Emails and screen readers still use the name.",
  icon: "It is shown in browser tabs, in bookmarks and on home screens of phones. A square picture of 200 pixels or more is best.",
  share:
    "It is shown when somebody shares a link to a page without its own picture. The site crops it to 1200 by 630 pixels. Everyone can see it, so it must not be explicit.",
};
const TAKES = `${UPLOADED_PICTURE}. SVG files can contain scripts, so save yours as PNG first.`;

export function PictureSection({ stored, uploaded, siteName, ...section }: PictureSectionProps) {
  const { name, action, errors } = section;
  const uploadForm = (
    <Form
      method="post"
      action={`${withQuery(action, { picture: name })}#${name}`}
      encType="multipart/form-data"
      preventScrollReset
      className={styles.upload}
    >
      <Stack gap="lg">
        <PictureField
          id={`${name}-${name}`}
          name="picture"
          accept="image/png,image/jpeg,image/webp,image/avif,image/gif,image/tiff"
          isThere={stored !== null}
          description={TAKES}
          error={errors[name]}
        />
        <SubmitButton variant="default" isOurs={(sent) => sent.has("picture")} busyLabel="Uploading …">
          Upload
        </SubmitButton>
      </Stack>
    </Form>
  );
  return (
    <SettingSection
      {...section}
      hasSave={uploaded !== null || section.code !== null || section.conflicts.length > 0}
      about={ABOUT[name]}
      before={
        <>
          <Shown picture={uploaded ?? stored} kind={name} siteName={siteName} />
          {uploaded !== null && <p role="status">This is your picture. Save it to use it.</p>}
          {uploaded === null && uploadForm}
        </>
      }
      after={uploaded === null ? undefined : uploadForm}
    >
      {(values) => <input type="hidden" name={name} value={values[name] ?? ""} />}
    </SettingSection>
  );
}

function Shown({
  picture,
  kind,
  siteName,
}: {
  picture: Picture | null;
  kind: PictureKind;
  siteName: string;
}) {
  if (picture === null) return <p className={styles.muted}>The site uses its default picture.</p>;
  return (
    <div className={styles.pictures}>
      {(["light", "dark"] as const).map((mode) => (
        <div key={mode} className={`${styles.picture} ${styles[mode]} ${styles[kind]}`}>
          <img {...picture} alt={`${siteName}, ${mode} mode`} />
        </div>
      ))}
    </div>
  );
}
