import { TextInput } from "@mantine/core";
import type { CreatorValues } from "#app/domain/catalog/edit/names/creator-sections.ts";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import itemStyles from "../item/item.module.css";
import { AddRow, NameRows, useRows } from "../item/name-rows.tsx";
import { MarkdownField } from "../item/preview.tsx";
import { type EditedSection, SectionForm } from "../item/section-form.tsx";
import { StepButton } from "../item/step-button.tsx";
import styles from "./names.module.css";

/** Characters. */
interface CreatorLimits {
  name: number;
  slug: number;
  bio: number;
  linkLabel: number;
  url: number;
}

interface CreatorTextSectionProps extends EditedSection<CreatorValues["text"]> {
  limits: CreatorLimits;
  preview: Prose[] | undefined;
  /** "https://example.com/creators/" */
  addressStart: string;
}

export function CreatorTextSection({ limits, preview, addressStart, ...section }: CreatorTextSectionProps) {
  const { errors } = section;
  return (
    <FormSection
      id="text"
      title="Name and biography"
      about={
        <p>
          Pages show a new name at once. An import with the old name finds the creator only if it is one of
          the other names below.
        </p>
      }
      done={section.isSaved ? "Name, address and biography are saved." : undefined}
    >
      <SectionForm
        name="text"
        {...section}
        extra={
          <StepButton at={{ action: section.action, section: "text" }} intent="preview">
            Preview
          </StepButton>
        }
      >
        {(values) => (
          <>
            <TextInput
              id="text-name"
              name="name"
              label={fieldLabel("name")}
              defaultValue={values.name}
              maxLength={limits.name}
              error={errors.name}
              autoComplete="off"
              size="md"
              required
              withAsterisk={false}
            />
            <TextInput
              id="text-slug"
              name="slug"
              label={fieldLabel("slug")}
              description={`The part after ${addressStart}. A new name does not change it. Old addresses redirect to the new one.`}
              inputWrapperOrder={["label", "input", "error", "description"]}
              defaultValue={values.slug}
              maxLength={limits.slug}
              error={errors.slug}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              size="md"
              required
              withAsterisk={false}
            />
            <MarkdownField
              section="text"
              name="bio"
              label={fieldLabel("bio")}
              value={values.bio}
              maxLength={limits.bio}
              error={errors.bio}
              preview={preview}
            />
          </>
        )}
      </SectionForm>
    </FormSection>
  );
}

interface AliasesSectionProps extends EditedSection<CreatorValues["aliases"]> {
  limits: CreatorLimits;
}

export function AliasesSection({ limits, ...section }: AliasesSectionProps) {
  return (
    <FormSection
      id="aliases"
      title={fieldLabel("aliases")}
      about={
        <p>
          Visitors see them as “Also known as”. Searches and imports find this creator by them. Clear a row to
          remove it.
        </p>
      }
      done={section.isSaved ? "The other names are saved." : undefined}
    >
      <SectionForm name="aliases" {...section}>
        {({ aliases }) => (
          <NameRows
            id="aliases"
            name="name"
            at={{ action: section.action, section: "aliases" }}
            label="Other name"
            values={aliases}
            options={[]}
            maxLength={limits.name}
            error={section.errors.aliases}
          />
        )}
      </SectionForm>
    </FormSection>
  );
}

interface LinksSectionProps extends EditedSection<CreatorValues["links"]> {
  limits: CreatorLimits;
}

export function LinksSection({ limits, ...section }: LinksSectionProps) {
  return (
    <FormSection
      id="links"
      title={fieldLabel("links")}
      about={<p>The creator’s own pages elsewhere, in this order. Clear a row to remove it.</p>}
      done={section.isSaved ? "The links are saved." : undefined}
    >
      <SectionForm name="links" {...section}>
        {({ links }) => (
          <LinkRows action={section.action} links={links} errors={section.errors} limits={limits} />
        )}
      </SectionForm>
    </FormSection>
  );
}

interface LinkRowsProps {
  action: string;
  links: CreatorValues["links"]["links"];
  errors: Record<string, string>;
  limits: CreatorLimits;
}

function LinkRows({ action, links, errors, limits }: LinkRowsProps) {
  const { rows, list, add } = useRows(links.length);
  return (
    <>
      <ol className={itemStyles.rows} ref={list}>
        {rows.map((index) => (
          <li key={index} className={styles.link}>
            <TextInput
              id={`links-${index}`}
              name="label"
              aria-label={`Label of link ${index + 1}`}
              placeholder="Label"
              defaultValue={links[index]?.label ?? ""}
              autoComplete="off"
              maxLength={limits.linkLabel}
              error={errors[`links-${index}`] ?? (index === 0 ? errors.links : undefined)}
              size="md"
            />
            <TextInput
              name="url"
              aria-label={`Address of link ${index + 1}`}
              placeholder="https://"
              defaultValue={links[index]?.url ?? ""}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={limits.url}
              size="md"
            />
          </li>
        ))}
      </ol>
      <div>
        <AddRow at={{ action, section: "links" }} onAdd={add} />
      </div>
    </>
  );
}
