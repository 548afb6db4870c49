import { Fieldset, Stack, TextInput } from "@mantine/core";
import type { NameKind } from "#app/paths.ts";
import { Field } from "#app/ui/forms/field.tsx";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import item from "../item/item.module.css";
import { AddRow, NameRows, useRows } from "../item/name-rows.tsx";
import { MarkdownField } from "../item/preview.tsx";
import { type OpenedPart, type PartFields, PartForm, PreviewButton, rowsOf } from "../part-form.tsx";
import styles from "./names.module.css";

type Values = {
  name: string;
  slug: string;
  aliases: string[];
  bio: string;
  labels: string[];
  links: string[];
};

interface NameFormProps {
  kind: NameKind;
  values: Values;
  form: OpenedPart;
  /** Characters. */
  limits: { name: number; slug: number; bio: number; linkLabel: number; url: number };
  preview: Prose[] | undefined;
  /** "https://example.com/creators/" */
  addressStart: string;
}

export function NameForm({ kind, values, form, ...creator }: NameFormProps) {
  const isCreator = kind === "creator";
  return (
    <PartForm
      id="text"
      title={isCreator ? "Name and texts" : "Name"}
      about={
        <p>
          {isCreator
            ? "Pages show a new name at once. An import with the old name finds the creator only if it is one of the other names below."
            : "A new name changes the address of its lists. Old addresses redirect there, and imports with an old name find this tag."}
        </p>
      }
      values={values}
      form={form}
      extra={isCreator && <PreviewButton />}
    >
      {(fields) => (
        <>
          <Field
            field={fields.name}
            label={fieldLabel("name")}
            maxLength={creator.limits.name}
            autoComplete="off"
            required
            withAsterisk={false}
          />
          {isCreator && <CreatorFields fields={fields} {...creator} />}
        </>
      )}
    </PartForm>
  );
}

interface CreatorFieldsProps extends Pick<NameFormProps, "limits" | "preview" | "addressStart"> {
  fields: PartFields<Values>;
}

function CreatorFields({ fields, limits, preview, addressStart }: CreatorFieldsProps) {
  const { slug, aliases, bio } = fields;
  return (
    <>
      <Field
        field={slug}
        label={fieldLabel("slug")}
        description={`The part after ${addressStart}. A new name does not change it. Old addresses redirect to the new one.`}
        maxLength={limits.slug}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
      />
      <Fieldset legend={fieldLabel("aliases")} variant="unstyled" classNames={{ legend: item.legend }}>
        <Stack gap="md">
          <p className={item.muted}>
            Visitors see them as “Also known as”. Searches and imports find this creator by them. Clear a row
            to remove it.
          </p>
          <NameRows
            id={aliases.id}
            name={aliases.name}
            label="Other name"
            values={rowsOf(aliases.initialValue)}
            options={[]}
            maxLength={limits.name}
            error={aliases.errors?.[0]}
          />
        </Stack>
      </Fieldset>
      <MarkdownField
        section="text"
        name={bio.name}
        label={fieldLabel("bio")}
        value={bio.initialValue ?? ""}
        maxLength={limits.bio}
        error={bio.errors?.[0]}
        preview={preview}
      />
      <Fieldset legend={fieldLabel("links")} variant="unstyled" classNames={{ legend: item.legend }}>
        <Stack gap="md">
          <p className={item.muted}>
            The creator’s own pages elsewhere, in this order. Clear a row to remove it.
          </p>
          <LinkRows fields={fields} limits={limits} />
        </Stack>
      </Fieldset>
    </>
  );
}

function LinkRows({ fields: { labels, links }, limits }: Pick<CreatorFieldsProps, "fields" | "limits">) {
  const typed = { labels: rowsOf(labels.initialValue), urls: rowsOf(links.initialValue) };
  const { rows, list, add } = useRows(Math.max(typed.labels.length, typed.urls.length));
  return (
    <>
      <ol className={item.rows} ref={list}>
        {rows.map((index) => (
          <li key={index} className={styles.link}>
            <TextInput
              id={`${links.id}-${index}`}
              name={labels.name}
              aria-label={`Label of link ${index + 1}`}
              placeholder="Label"
              defaultValue={typed.labels[index]}
              autoComplete="off"
              maxLength={limits.linkLabel}
              error={index === 0 ? links.errors?.[0] : undefined}
              size="md"
            />
            <TextInput
              name={links.name}
              aria-label={`Address of link ${index + 1}`}
              placeholder="https://"
              defaultValue={typed.urls[index]}
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
        <AddRow onAdd={add} />
      </div>
    </>
  );
}
