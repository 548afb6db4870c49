import { Button } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { PictureField, UPLOADED_PICTURE } from "#app/ui/forms/picture-field.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { type OpenedPart, PartForm } from "../part-form.tsx";
import styles from "./names.module.css";

interface PortraitFormProps {
  values: { portraitAlt: string; picture: string };
  form: OpenedPart;
  portrait: PictureView | null;
  /** Characters. */
  limits: { portraitAlt: number };
}

export function PortraitForm({ values, form, portrait, limits }: PortraitFormProps) {
  return (
    <>
      <PartForm
        id="portrait"
        title="Portrait"
        about={<p>Everyone past the age gate sees it.</p>}
        values={values}
        form={form}
        hasFile
      >
        {({ portraitAlt, picture }) => (
          <>
            {portrait !== null && <Picture picture={portrait} sizes="8rem" className={styles.current} />}
            <PictureField
              id={picture.id}
              name={picture.name}
              isThere={portrait !== null}
              description={`${UPLOADED_PICTURE}. The site crops it to 4:5.`}
              error={picture.errors?.[0]}
            />
            <Field
              field={portraitAlt}
              label={fieldLabel("portraitAlt")}
              description="Describes the picture for people who cannot see it."
              maxLength={limits.portraitAlt}
              autoComplete="off"
            />
          </>
        )}
      </PartForm>
      {portrait !== null && (
        <Form method="post">
          <input type="hidden" name="version" value={form.version} />
          <Button type="submit" variant="default">
            Remove the portrait
          </Button>
        </Form>
      )}
    </>
  );
}
