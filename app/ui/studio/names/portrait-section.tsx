import { Button, Stack, TextInput } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { CreatorValues } from "#app/domain/catalog/edit/names/creator-sections.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { AnotherCodeButton, CodeField, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { PictureField, UPLOADED_PICTURE } from "#app/ui/forms/picture-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { type EditedSection, SectionForm } from "../item/section-form.tsx";
import { TypedForm } from "../typed-form.tsx";
import styles from "./names.module.css";

interface PortraitSectionProps extends EditedSection<CreatorValues["portrait"]> {
  page: string;
  portrait: PictureView | null;
  limits: { portraitAlt: number };
  upload: {
    /** Typed beside a refused picture. */
    alt: string;
    errors: Record<string, string>;
    code: RequestedCode | null;
  };
  removalCode: RequestedCode | null;
  done: string | undefined;
}

export function PortraitSection({
  page,
  portrait,
  limits,
  upload,
  removalCode,
  done,
  ...section
}: PortraitSectionProps) {
  const { hasOutbox } = section;
  return (
    <FormSection
      id="portrait"
      title="Portrait"
      about={<p>Everyone past the age gate sees it.</p>}
      done={section.isSaved ? "The alternative text is saved." : done}
    >
      {portrait !== null && (
        <>
          <div className={styles.current}>
            <Picture picture={portrait} sizes="8rem" />
            <Form method="post" action={page}>
              <input type="hidden" name="section" value="removal" />
              <Stack gap="md">
                {removalCode !== null && <CodeField code={removalCode} hasOutbox={hasOutbox} />}
                <Button type="submit" variant="default">
                  Remove the portrait
                </Button>
                {removalCode !== null && <AnotherCodeButton />}
              </Stack>
            </Form>
          </div>
          {/* A new picture has its own text, so the form starts again. */}
          <SectionForm key={portrait.version} name="portrait" {...section}>
            {({ portraitAlt }) => (
              <TextInput
                id="portrait-portraitAlt"
                name="portraitAlt"
                label={fieldLabel("portraitAlt")}
                description="Describes the picture for people who cannot see it."
                inputWrapperOrder={["label", "input", "error", "description"]}
                defaultValue={portraitAlt}
                maxLength={limits.portraitAlt}
                error={section.errors.portraitAlt}
                size="md"
              />
            )}
          </SectionForm>
        </>
      )}
      <TypedForm key={portrait?.version} method="post" action={page} encType="multipart/form-data">
        <input type="hidden" name="section" value="upload" />
        <Stack gap="lg">
          <PictureField
            id="upload-file"
            name="picture"
            isThere={portrait !== null}
            description={`${UPLOADED_PICTURE}. The site crops it to 4:5.`}
            error={upload.errors.file}
          />
          <TextInput
            id="upload-portraitAlt"
            name="portraitAlt"
            label="Alternative text of the new picture"
            defaultValue={upload.alt}
            maxLength={limits.portraitAlt}
            error={upload.errors.portraitAlt}
            autoComplete="off"
            size="md"
          />
          {upload.code !== null && (
            <>
              <p>Please choose the picture again, too. Browsers do not keep it.</p>
              <CodeField code={upload.code} hasOutbox={hasOutbox} />
            </>
          )}
          <div>
            <SubmitButton
              variant="default"
              isOurs={(sent) => sent.get("section") === "upload"}
              busyLabel="Uploading …"
            >
              Upload picture
            </SubmitButton>
          </div>
          {upload.code !== null && <AnotherCodeButton />}
        </Stack>
      </TypedForm>
    </FormSection>
  );
}
