import { Button } from "@mantine/core";
import { useState } from "react";
import "#app/ui/theme/mantine.css";
import itemStyles from "../item/item.module.css";
import { KeptPreview } from "../part-form.tsx";
import { type OpenedSettings, type SettingField, SettingPart } from "./setting-part.tsx";
import styles from "./settings.module.css";
import { type Previewed, SitePreview } from "./site-preview.tsx";

interface ColorPartProps {
  page: OpenedSettings;
  preview: (Previewed & { suggestion: string | null }) | undefined;
}

export function ColorPart({ page, preview }: ColorPartProps) {
  return (
    <SettingPart
      page={page}
      about="The color of buttons, links and marks, on the site and in emails. It must be readable in light and dark mode. Dark mode uses a lighter shade of it."
    >
      {(field, fields) => (
        <>
          {/* A color that is hard to read comes back with a preview, and with one that is not. */}
          {preview === undefined && <KeptPreview />}
          <ColorField field={field} typed={fields.accent.initialValue ?? ""} />
          {preview?.suggestion && (
            <Button
              type="submit"
              name="suggestion"
              value={preview.suggestion}
              variant="default"
              style={{ alignSelf: "start" }}
            >
              {`Save ${preview.suggestion} instead`}
            </Button>
          )}
          {preview && <SitePreview {...preview} error={fields.accent.errors ? null : preview.error} />}
        </>
      )}
    </SettingPart>
  );
}

/** The text and the browser's picker follow each other. */
function ColorField({ field, typed }: { field: SettingField; typed: string }) {
  const [swatch, setSwatch] = useState(hexIn(typed));
  return (
    <div className={styles.color}>
      {field("accent", {
        description: "A # and six digits from 0 to 9 or a to f.",
        onInput: ({ currentTarget }) => setSwatch((shown) => hexIn(currentTarget.value) ?? shown),
      })}
      <label className={`${styles.picker} ${itemStyles.needsScript}`}>
        Choose
        <input
          type="color"
          value={swatch ?? undefined}
          onChange={({ currentTarget: { form, value } }) => {
            const text = form?.elements.namedItem("accent");
            if (text instanceof HTMLInputElement) text.value = value;
            setSwatch(value);
          }}
        />
      </label>
    </div>
  );
}

function hexIn(text: string): string | null {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? null : `#${digits.toLowerCase()}`;
}
