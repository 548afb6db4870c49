import type { PictureKind } from "#app/domain/site/settings.ts";
import { PictureField, UPLOADED_PICTURE } from "#app/ui/forms/picture-field.tsx";
import { KeptPreview } from "../part-form.tsx";
import { type OpenedSettings, SettingPart } from "./setting-part.tsx";
import styles from "./settings.module.css";

interface Picture {
  version: string;
  src: string;
  width: number;
  height: number;
}

interface PicturePartProps {
  page: OpenedSettings & {
    siteName: string;
    /** Null for the default picture. */
    picture: Picture | null;
  };
  kind: PictureKind;
  uploaded: Picture | null;
  /** The default picture is chosen, but not saved yet. */
  isReset: boolean | undefined;
}

const ABOUT: Record<PictureKind, string> = {
  logo: "It replaces the name at the top of every page, 32 pixels high. Emails and screen readers still use the name.",
  icon: "It is shown in browser tabs, in bookmarks and on home screens of phones. A square picture of at least 200 by 200 pixels is best.",
  share:
    "It is shown when somebody shares a link to a page without its own picture. The site crops it to 1200 by 630 pixels. Everyone can see it, so it must not be explicit.",
};
const TAKES = `${UPLOADED_PICTURE}. SVG files can contain scripts, so save yours as PNG first.`;

export function PicturePart({ page, kind, uploaded, isReset }: PicturePartProps) {
  return (
    <SettingPart page={page} about={ABOUT[kind]} hasFile>
      {(_, fields) => (
        <>
          <Shown picture={isReset ? null : (uploaded ?? page.picture)} kind={kind} siteName={page.siteName} />
          <div role="status">{uploaded && <p>This is your picture. Save it to use it.</p>}</div>
          {(uploaded || isReset) && <KeptPreview />}
          <input type="hidden" name={kind} value={uploaded?.version ?? ""} />
          <PictureField
            // Empty again once its picture is shown.
            key={uploaded?.version}
            id={`${kind}-picture`}
            name="picture"
            accept="image/png,image/jpeg,image/webp,image/avif,image/gif,image/tiff"
            isThere={(uploaded ?? page.picture) !== null}
            description={TAKES}
            error={fields[kind].errors?.[0]}
          />
        </>
      )}
    </SettingPart>
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
  const { src, width, height } = picture;
  return (
    <div className={styles.pictures}>
      {(["light", "dark"] as const).map((mode) => (
        <div key={mode} className={`${styles.picture} ${styles[mode]} ${styles[kind]}`}>
          <img src={src} width={width} height={height} alt={`${siteName}, ${mode} mode`} />
        </div>
      ))}
    </div>
  );
}
