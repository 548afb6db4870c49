import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { capitalized } from "#app/texts.ts";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import type { CaptionsAnswer, CaptionsStep as Step } from "#app/web/forms/captions-form.server.ts";
import type { FormGroupAnswer } from "#app/web/studio/form-group.server.ts";
import { TypedForm } from "../typed-form.tsx";
import files from "./files.module.css";
import { FormGroup } from "./form-group.tsx";
import styles from "./item.module.css";
import type { RefusalLine } from "./refusal-summary.tsx";

interface Captions {
  language: string;
  label: string;
  version: number;
  url: string;
}

interface CaptionsPartProps {
  action: string;
  captions: Captions[];
  /** Names of languages. */
  suggested: string[];
  notice: string | null;
  answer: FormGroupAnswer<CaptionsAnswer> | undefined;
  /** `languages`: in all; `label`: in characters. */
  limits: { upload: string; languages: number; label: number };
}

interface LanguageProps {
  action: string;
  sent: CaptionsAnswer | undefined;
  limits: CaptionsPartProps["limits"];
}

export function CaptionsPart({
  action,
  captions: all,
  suggested,
  notice,
  answer,
  limits,
}: CaptionsPartProps) {
  const sent = answer?.sent;
  const notes = sent?.notes ?? [];
  const forms = { action, sent, limits };
  return (
    <FormGroup
      id="captions"
      title={fieldLabel("captions")}
      about={
        <p>
          One SubRip (.srt) or WebVTT (.vtt) file for each language. The site repairs small faults, and tells
          you the line of anything it cannot show.
        </p>
      }
      notice={notice}
      done={notes.length > 0 ? "The captions are saved." : undefined}
      answer={answer}
      refusals={refusals}
    >
      {notes.length > 0 && (
        <Alert color="pink" role="status" title="The file was repaired">
          <ul>
            {notes.map((note) => (
              <li key={note}>{capitalized(note)}</li>
            ))}
          </ul>
        </Alert>
      )}
      {all.length === 0 ? (
        <p className={styles.muted}>There are no captions yet.</p>
      ) : (
        <ul className={files.captions}>
          {all.map((captions) => (
            // A new label or file resets the forms.
            <li key={`${captions.language} ${captions.version} ${captions.label}`}>
              <OneLanguage {...forms} captions={captions} />
            </li>
          ))}
        </ul>
      )}
      {all.length < limits.languages && <AddForm key={all.length} {...forms} suggested={suggested} />}
    </FormGroup>
  );
}

function refusals({ language, errors }: CaptionsAnswer): RefusalLine[] {
  const end = language ? `-${language}` : "";
  return Object.entries(errors).flatMap(([field, sentence]) =>
    sentence ? [{ at: field === "form" ? "captions" : `captions-${field}${end}`, sentence }] : [],
  );
}

function OneLanguage({ captions, action, sent, limits }: LanguageProps & { captions: Captions }) {
  const { language, label, version, url } = captions;
  const own = sent?.language === language ? sent : undefined;
  const error = (step: Step, field: "label" | "file" | "form") =>
    own?.step === step ? own.errors[field] : undefined;
  const form = (step: Step, opened: string) => ({
    ...{ action, step, language, opened },
    error: error(step, "form"),
  });
  const isOpen = own !== undefined && own.notes.length === 0;
  return (
    <>
      <p>
        <strong>{label}</strong> <span className={styles.muted}>({language})</span>{" "}
        <a href={url} target="_blank" rel="noreferrer">
          View the text
        </a>
      </p>
      <details open={isOpen} className={files.details}>
        <summary>Change {label}</summary>
        <Stack gap="lg">
          <StepForm {...form("rename", label)} button="Rename">
            <TextInput
              {...labelField(limits.label)}
              id={`captions-label-${language}`}
              defaultValue={own?.step === "rename" ? own.typed.label : label}
              error={error("rename", "label")}
            />
          </StepForm>
          <StepForm {...form("replace", String(version))} button="Replace">
            <input type="hidden" name="label" value={label} />
            <CaptionsFile
              id={`captions-file-${language}`}
              label="New file for this language"
              limit={limits.upload}
              error={error("replace", "file")}
            />
          </StepForm>
          <StepForm {...form("remove", String(version))} button="Remove these captions" />
        </Stack>
      </details>
    </>
  );
}

function AddForm({ action, sent, limits, suggested }: LanguageProps & { suggested: string[] }) {
  const own = sent?.step === "add" && sent.notes.length === 0 ? sent : undefined;
  return (
    <StepForm
      action={action}
      step="add"
      language={null}
      opened=""
      error={own?.errors.form}
      button="Add the captions"
    >
      <h3 className={files.subheading}>Add a language</h3>
      <div className={styles.pair}>
        <TextInput
          id="captions-language"
          name="language"
          label="Language"
          description="Its name in English, or its tag, such as en, de or pt-BR."
          list="caption-languages"
          defaultValue={own?.typed.language}
          error={own?.errors.language}
          maxLength={20}
          autoComplete="off"
          autoCapitalize="none"
          size="md"
        />
        <datalist id="caption-languages">
          {suggested.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextInput
          {...labelField(limits.label)}
          id="captions-label"
          defaultValue={own?.typed.label}
          error={own?.errors.label}
        />
      </div>
      <CaptionsFile
        id="captions-file"
        label="File with the captions"
        limit={limits.upload}
        error={own?.errors.file}
      />
    </StepForm>
  );
}

function labelField(maxLength: number) {
  return {
    ...{ name: "label", label: "Name that viewers see", maxLength },
    description: "In that language: English, Deutsch. If empty, it is the language’s own name.",
    ...({ autoComplete: "off", size: "md" } as const),
  };
}

interface StepFormProps {
  action: string;
  step: Step;
  language: string | null;
  /** The stored value that the form changes. */
  opened: string;
  error: string | undefined;
  button: string;
  children?: ReactNode;
}

/** The step is a field, so that Enter sends it as well. */
function StepForm({ action, step, language, opened, error, button, children }: StepFormProps) {
  const hasFile = step === "add" || step === "replace";
  return (
    <TypedForm
      method="post"
      action={action}
      encType={hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"}
    >
      <input type="hidden" name="opened" value={opened} />
      {language !== null && <input type="hidden" name="language" value={language} />}
      <input type="hidden" name="intent" value={step} />
      <Stack gap="md">
        {children}
        <FormError>{error}</FormError>
        <Group>
          <Button type="submit" variant="default">
            {button}
          </Button>
        </Group>
      </Stack>
    </TypedForm>
  );
}

interface CaptionsFileProps {
  id: string;
  label: string;
  limit: string;
  error: string | undefined;
}

function CaptionsFile({ limit, ...input }: CaptionsFileProps) {
  return <FileField name="captions" accept=".srt,.vtt,text/vtt" description={`Up to ${limit}.`} {...input} />;
}
