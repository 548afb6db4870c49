import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { TypedForm } from "../typed-form.tsx";
import { FilePart, type FilePartAnswer } from "./file-part.tsx";
import files from "./files.module.css";
import styles from "./item.module.css";
import type { RefusalLine } from "./refusals.ts";

type Step = "add" | "replace" | "rename" | "remove";

interface Captions {
  language: string;
  label: string;
  version: number;
  url: string;
}

interface SentCaptions {
  step: Step;
  language: string | null;
  typed: { language: string; label: string };
  errors: Partial<Record<"language" | "label" | "file" | "form", string>>;
  notes: string[];
}

interface CaptionsPartProps {
  action: string;
  captions: Captions[];
  notice: string | null;
  answer: FilePartAnswer<SentCaptions> | undefined;
  /** `languages`: in all; `label`: in characters. */
  limits: { upload: string; languages: number; label: number };
}

interface LanguageProps {
  action: string;
  sent: SentCaptions | undefined;
  limits: CaptionsPartProps["limits"];
}

export function CaptionsPart({ action, captions: all, notice, answer, limits }: CaptionsPartProps) {
  const sent = answer?.sent;
  const notes = sent?.notes ?? [];
  const forms = { action, sent, limits };
  return (
    <FilePart
      id="captions"
      title={fieldLabel("captions")}
      about={
        <p>
          SubRip (.srt) or WebVTT (.vtt), one file for each language. The site repairs small faults, and names
          the line of anything that it cannot show.
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
              <li key={note}>{note.charAt(0).toUpperCase() + note.slice(1)}</li>
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
      {all.length < limits.languages && <AddForm key={all.length} {...forms} />}
    </FilePart>
  );
}

function refusals({ language, errors }: SentCaptions): RefusalLine[] {
  const end = language ? `-${language}` : "";
  return Object.entries(errors).flatMap(([field, sentence]) =>
    sentence ? [{ at: field === "form" ? "captions" : `captions-${field}${end}`, sentence }] : [],
  );
}

function OneLanguage({ captions, ...props }: LanguageProps & { captions: Captions }) {
  const { sent, limits } = props;
  const { language, label, version, url } = captions;
  const own = sent?.language === language ? sent : undefined;
  const error = (step: Step, field: "label" | "file" | "form") =>
    own?.step === step ? own.errors[field] : undefined;
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
          <StepForm action={props.action} step="rename" language={language} opened={label}>
            <TextInput
              id={`captions-label-${language}`}
              name="label"
              label="Name that viewers see"
              defaultValue={own?.step === "rename" ? own.typed.label : label}
              maxLength={limits.label}
              error={error("rename", "label")}
              autoComplete="off"
              size="md"
            />
            <FormError>{error("rename", "form")}</FormError>
            <StepButton>Rename</StepButton>
          </StepForm>
          <StepForm action={props.action} step="replace" language={language} opened={String(version)}>
            <input type="hidden" name="label" value={label} />
            <CaptionsFile
              id={`captions-file-${language}`}
              label="New file for this language"
              limit={props.limits.upload}
              error={error("replace", "file")}
            />
            <FormError>{error("replace", "form")}</FormError>
            <StepButton>Replace</StepButton>
          </StepForm>
          <StepForm action={props.action} step="remove" language={language} opened={String(version)}>
            <FormError>{error("remove", "form")}</FormError>
            <StepButton>Remove these captions</StepButton>
          </StepForm>
        </Stack>
      </details>
    </>
  );
}

function AddForm(props: LanguageProps) {
  const own = props.sent?.step === "add" && props.sent.notes.length === 0 ? props.sent : undefined;
  return (
    <StepForm action={props.action} step="add" language={null} opened="">
      <h3 className={files.subheading}>Add a language</h3>
      <div className={styles.pair}>
        <TextInput
          id="captions-language"
          name="language"
          label="Language"
          description="A language tag, such as en, de or pt-BR."
          inputWrapperOrder={["label", "input", "error", "description"]}
          defaultValue={own?.typed.language}
          error={own?.errors.language}
          maxLength={20}
          autoComplete="off"
          autoCapitalize="none"
          size="md"
        />
        <TextInput
          id="captions-label"
          name="label"
          label="Name that viewers see"
          description="In that language: English, Deutsch."
          inputWrapperOrder={["label", "input", "error", "description"]}
          defaultValue={own?.typed.label}
          error={own?.errors.label}
          maxLength={props.limits.label}
          autoComplete="off"
          size="md"
        />
      </div>
      <CaptionsFile
        id="captions-file"
        label="File with the captions"
        limit={props.limits.upload}
        error={own?.errors.file}
      />
      <FormError>{own?.errors.form}</FormError>
      <StepButton>Add the captions</StepButton>
    </StepForm>
  );
}

interface StepFormProps {
  action: string;
  step: Step;
  language: string | null;
  /** The stored value that the form changes. */
  opened: string;
  children: ReactNode;
}

/** The step is a field, so that Enter sends it as well. */
function StepForm({ action, step, language, opened, children }: StepFormProps) {
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
      <Stack gap="md">{children}</Stack>
    </TypedForm>
  );
}

function StepButton({ children }: { children: string }) {
  return (
    <Group>
      <Button type="submit" variant="default">
        {children}
      </Button>
    </Group>
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
