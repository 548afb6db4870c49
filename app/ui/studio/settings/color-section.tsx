import { Button } from "@mantine/core";
import { useState } from "react";
import type { SectionValues } from "#app/domain/site/settings.ts";
import "#app/ui/theme/mantine.css";
import { LineField } from "./setting-fields.tsx";
import { type EditedSettings, SettingSection } from "./setting-section.tsx";
import styles from "./settings.module.css";
import { type Previewed, SitePreview } from "./site-preview.tsx";

interface ColorSectionProps extends EditedSettings {
  preview: Previewed | undefined;
  /** A readable color instead of one that is not. */
  suggestion: string | null;
}

export function ColorSection({ preview, suggestion, ...section }: ColorSectionProps) {
  return (
    <SettingSection
      {...section}
      hasPreview
      about="The color of buttons, links and marks, on the site and in emails. It must be readable in light and dark mode. Dark mode uses a lighter shade of it."
    >
      {(values) => (
        <>
          <ColorField section={section} values={values} />
          {suggestion !== null && (
            <Button
              type="submit"
              name="suggestion"
              value={suggestion}
              variant="default"
              style={{ alignSelf: "start" }}
            >
              {`Save ${suggestion} instead`}
            </Button>
          )}
          {preview && <SitePreview {...preview} />}
        </>
      )}
    </SettingSection>
  );
}

/** The browser's picker writes into the field. */
function ColorField({ section, values }: { section: EditedSettings; values: SectionValues }) {
  const [picked, setPicked] = useState(values.accent ?? "");
  return (
    <div className={styles.color}>
      <LineField
        {...section}
        key={picked}
        values={{ accent: picked }}
        setting="accent"
        description="A # and six digits from 0 to 9 or a to f."
      />
      <label className={styles.picker}>
        Choose
        <input
          type="color"
          defaultValue={/^#[0-9a-f]{6}$/.test(picked) ? picked : undefined}
          onChange={(event) => setPicked(event.currentTarget.value)}
        />
      </label>
    </div>
  );
}
