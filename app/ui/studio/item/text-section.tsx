import { Button, Textarea, TextInput } from "@mantine/core";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./item.module.css";
import { ItemSection } from "./item-section.tsx";
import { type EditedSection, SectionForm } from "./section-form.tsx";

interface TextSectionProps extends EditedSection<SectionFields["text"]> {
  limits: { title: number; description: number };
  /** The typed description, as pages will show it. */
  preview: Prose[] | undefined;
}

export function TextSection({ limits, preview, ...section }: TextSectionProps) {
  const { errors } = section;
  return (
    <ItemSection
      id="text"
      title="Title and description"
      about={<p>A new title gives the page a new address. Old addresses lead to it.</p>}
      done={section.isSaved ? "Title and description are saved." : undefined}
    >
      <SectionForm
        name="text"
        {...section}
        extra={
          <Button
            type="submit"
            name="intent"
            value="preview"
            formAction={`${section.action}#text`}
            variant="default"
          >
            Preview
          </Button>
        }
      >
        {(values) => (
          <>
            <TextInput
              id="text-title"
              name="title"
              label="Title"
              defaultValue={values.title}
              maxLength={limits.title}
              error={errors.title}
              size="md"
              required
              withAsterisk={false}
            />
            <Textarea
              id="text-description"
              name="description"
              label="Description"
              description="Markdown: **bold**, *italic*, lists with a dash, an empty line between paragraphs."
              inputWrapperOrder={["label", "input", "error", "description"]}
              defaultValue={values.description}
              maxLength={limits.description}
              error={errors.description}
              rows={8}
              size="md"
            />
            {preview !== undefined && (
              <section className={styles.preview} aria-label="Preview of the description">
                <p className={styles.muted}>Preview, not saved yet</p>
                {preview.length > 0 ? <ProseView prose={preview} /> : <p>There is no description.</p>}
              </section>
            )}
          </>
        )}
      </SectionForm>
    </ItemSection>
  );
}
