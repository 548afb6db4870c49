import { getInputProps } from "@conform-to/react";
import { Button, Fieldset, Stack, TextInput } from "@mantine/core";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { type MediaType, paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import form from "#app/ui/forms/form.module.css";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { TYPE_LABELS } from "../media-labels.ts";
import { type OpenedPart, PartForm, rowsOf } from "../part-form.tsx";
import styles from "./item.module.css";
import { NameRows } from "./name-rows.tsx";

interface CreditsPartProps {
  values: { creators: string[]; tags: string[]; added: string; shoot: string; find: string };
  form: OpenedPart;
  /** As stored: these can be removed or kept. */
  present: { tags: string[]; shoot: string | null };
  credited: { id: string; name: string }[];
  /** The other items of its shoot. */
  shoot: { id: string; title: string }[];
  names: { creators: string[]; tags: string[] };
  limits: { name: number; search: number };
  found: { words: string; items: { id: string; title: string; type: MediaType }[] } | undefined;
}

export function CreditsPart(props: CreditsPartProps) {
  const { values, present, credited, shoot, names, limits, found } = props;
  return (
    <PartForm
      id="credits"
      title="Credits and tags"
      about={
        <p>
          Visitors see the creators on the page, in this order, and filter the lists by tags. A new name adds
          a new creator or tag.
        </p>
      }
      values={values}
      form={props.form}
    >
      {(fields) => {
        // A conflict must not drop a tag that somebody else has removed.
        const tags = [...new Set([...present.tags, ...rowsOf(fields.tags.initialValue)])];
        return (
          <>
            <Fieldset
              legend={fieldLabel("creators")}
              variant="unstyled"
              classNames={{ legend: styles.legend }}
            >
              <Stack gap="md">
                <NameRows
                  id={fields.creators.id}
                  name={fields.creators.name}
                  label="Creator"
                  values={rowsOf(fields.creators.initialValue)}
                  options={names.creators}
                  maxLength={limits.name}
                  error={fields.creators.errors?.[0]}
                />
                {credited.length > 0 && <CreatorLinks credited={credited} />}
              </Stack>
            </Fieldset>
            <Fieldset legend={fieldLabel("tags")} variant="unstyled" classNames={{ legend: styles.legend }}>
              <Stack gap="md">
                {tags.length > 0 && (
                  <div className={styles.ticks}>
                    {tags.map((name) => (
                      <Tick
                        key={name}
                        name={fields.tags.name}
                        value={name}
                        defaultChecked={rowsOf(fields.tags.initialValue).includes(name)}
                      >
                        {name}
                      </Tick>
                    ))}
                  </div>
                )}
                <TextInput
                  {...getInputProps(fields.added, { type: "text", ariaAttributes: false })}
                  label="Add tags"
                  description="Separate several tags with commas. Untick a tag to remove it."
                  list="tag-names"
                  autoComplete="off"
                  error={fields.tags.errors?.[0]}
                  size="md"
                />
                <Names id="tag-names" names={names.tags} />
              </Stack>
            </Fieldset>
            <Fieldset legend={fieldLabel("shoot")} variant="unstyled" classNames={{ legend: styles.legend }}>
              <Stack gap="md">
                <p className={styles.muted}>Videos and photo sets from one shoot link to each other.</p>
                <ShootChoices
                  name={fields.shoot.name}
                  chosen={fields.shoot.value ?? ""}
                  present={present.shoot}
                  others={shoot}
                  found={found?.items ?? []}
                />
                {found !== undefined && found.items.length === 0 && (
                  <p role="status">Nothing matches {quoted(found.words)}.</p>
                )}
                <div className={styles.search}>
                  <TextInput
                    {...getInputProps(fields.find, { type: "text", ariaAttributes: false })}
                    label="Find another item"
                    maxLength={limits.search}
                    error={fields.shoot.errors?.[0]}
                    autoComplete="off"
                    data-unsaved="never"
                    size="md"
                  />
                  <Button type="submit" name="intent" value="find" variant="default">
                    Find
                  </Button>
                </div>
              </Stack>
            </Fieldset>
          </>
        );
      }}
    </PartForm>
  );
}

function CreatorLinks({ credited }: { credited: { id: string; name: string }[] }) {
  return (
    <p className={styles.pageLinks}>
      {credited.length === 1 ? "The creator’s page: " : "The creators’ pages: "}
      {credited.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link to={paths.studioName("creator", id)}>{name}</Link>
        </span>
      ))}
    </p>
  );
}

function Names({ id, names }: { id: string; names: string[] }) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

interface ShootChoicesProps {
  name: string;
  chosen: string;
  present: string | null;
  others: { id: string; title: string }[];
  found: { id: string; title: string; type: MediaType }[];
}

function ShootChoices({ name, chosen, present, others, found }: ShootChoicesProps) {
  const choice = (value: string, words: ReactNode) => (
    <label key={value} className={form.tick}>
      <input type="radio" name={name} value={value} defaultChecked={value === chosen} />
      <span>{words}</span>
    </label>
  );
  const isShown = ["", present, ...found.map(({ id }) => id)].includes(chosen);
  return (
    <>
      {present !== null && choice(present, <PresentShoot others={others} />)}
      {choice("", "No shoot")}
      {found.map(({ id, title, type }) =>
        choice(
          id,
          <>
            Same shoot as <strong>{title}</strong> ({TYPE_LABELS[type].toLowerCase()})
          </>,
        ),
      )}
      {!isShown && choice(chosen, "Same shoot as the item that you chose")}
    </>
  );
}

function PresentShoot({ others }: { others: { id: string; title: string }[] }) {
  if (others.length === 0) return "Keep it in its shoot, which has no other item yet";
  return (
    <>
      Keep it in the same shoot as{" "}
      {others.map(({ id, title }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link to={paths.studioItem(id)}>{title}</Link>
        </span>
      ))}
    </>
  );
}
