import { Textarea } from "@mantine/core";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import styles from "./item.module.css";
import { PhotoPages, type ShownPages } from "./photo-pages.tsx";
import { type EditedSection, SectionForm } from "./section-form.tsx";

interface PhotosSectionProps extends EditedSection<SectionFields["photos"]> {
  pictures: Record<string, { position: number; picture: PictureView | null }>;
  described: number;
  total: number;
  limits: { alt: number };
  pages: ShownPages;
}

export function PhotosSection({ pictures, described, total, limits, pages, ...section }: PhotosSectionProps) {
  const { errors } = section;
  return (
    <FormSection
      id="photos"
      title="Photos"
      about={
        <div className={styles.meter}>
          <p id="described">
            {described} of {total} photos have an alternative text, which describes them to people who cannot
            see them.
          </p>
          <meter aria-labelledby="described" min={0} max={total} value={described} />
        </div>
      }
      done={section.isSaved ? "The photos are saved." : undefined}
    >
      <SectionForm name="photos" {...section}>
        {({ photos }) => (
          <ol className={styles.photos}>
            {photos.map(({ id, alt, isPreview }) => (
              <li key={id} className={styles.photo}>
                {pictures[id]?.picture && <Picture picture={pictures[id].picture} sizes="8rem" />}
                <input type="hidden" name="photo" value={id} />
                <Textarea
                  id={`photos-${id}`}
                  name="alt"
                  label={`Photo ${pictures[id]?.position ?? ""}, alternative text`}
                  defaultValue={alt}
                  maxLength={limits.alt}
                  rows={2}
                  error={errors[`alt-${id}`]}
                  size="md"
                />
                <Tick name="preview" value={id} defaultChecked={isPreview}>
                  Free preview
                </Tick>
              </li>
            ))}
          </ol>
        )}
      </SectionForm>
      <PhotoPages pages={pages} name="Pages of photos" />
    </FormSection>
  );
}
