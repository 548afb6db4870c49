import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { RequestedCode } from "#app/ui/forms/code-field.tsx";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { TypedForm } from "../typed-form.tsx";
import files from "./files.module.css";
import { FormCode } from "./form-code.tsx";
import styles from "./item.module.css";

type Step = "add" | "replace" | "rename" | "remove";

interface Captions {
  language: string;
  label: string;
  version: number;
  url: string;
}

interface CaptionsSectionProps {
  action: string;
  all: Captions[];
  most: number;
  labelLength: number;
  answer:
    | {
        step: Step;
        language: string | null;
        typed: { language: string; label: string };
        errors: Partial<Record<"language" | "label" | "file" | "form", string>>;
        notes: string[];
      }
    | undefined;
  code: RequestedCode | null;
  hasOutbox: boolean;
  isSaved: boolean;
  uploadLimit: string;
}

export function CaptionsSection(props: CaptionsSectionProps) {
  const { all, most, answer, isSaved } = props;
  const notes = answer?.notes ?? [];
  return (
    <FormSection
      id="captions"
      title={fieldLabel("captions")}
      about={
        <p>
          SubRip (.srt) or WebVTT (.vtt), one file for each language. The site repairs small faults, and names
          the line of anything that it cannot show.
        </p>
      }
      done={isSaved || notes.length > 0 ? "The captions are saved." : undefined}
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
              <OneLanguage {...props} captions={captions} />
            </li>
          ))}
        </ul>
      )}
      {all.length < most && <AddForm key={all.length} {...props} />}
    </FormSection>
  );
}

function OneLanguage({ captions, ...props }: CaptionsSectionProps & { captions: Captions }) {
  const { answer, labelLength } = props;
  const { language, label, version, url } = captions;
  const own = answer !== undefined && answer.language === language ? answer : undefined;
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
          <StepForm {...props} step="rename" {...{ language }} opened={label}>
            <TextInput
              id={`captions-label-${language}`}
              name="label"
              label="Name that viewers see"
              defaultValue={own?.step === "rename" ? own.typed.label : label}
              maxLength={labelLength}
              error={error("rename", "label")}
              autoComplete="off"
              size="md"
            />
            <FormError>{error("rename", "form")}</FormError>
            <StepButton>Rename</StepButton>
          </StepForm>
          <StepForm {...props} step="replace" {...{ language }} opened={String(version)}>
            <input type="hidden" name="label" value={label} />
            <CaptionsFile
              id={`captions-file-${language}`}
              label="New file for this language"
              limit={props.uploadLimit}
              error={error("replace", "file")}
            />
            <FormError>{error("replace", "form")}</FormError>
            <StepButton>Replace</StepButton>
          </StepForm>
          <StepForm {...props} step="remove" {...{ language }} opened={String(version)}>
            <FormError>{error("remove", "form")}</FormError>
            <StepButton>Remove these captions</StepButton>
          </StepForm>
        </Stack>
      </details>
    </>
  );
}

function AddForm(props: CaptionsSectionProps) {
  const own = props.answer?.step === "add" && props.answer.notes.length === 0 ? props.answer : undefined;
  return (
    <StepForm {...props} step="add" language={null} opened="">
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
          maxLength={props.labelLength}
          autoComplete="off"
          size="md"
        />
      </div>
      <CaptionsFile
        id="captions-file"
        label="File with the captions"
        limit={props.uploadLimit}
        error={own?.errors.file}
      />
      <FormError>{own?.errors.form}</FormError>
      <StepButton>Add the captions</StepButton>
    </StepForm>
  );
}

interface StepFormProps extends CaptionsSectionProps {
  step: Step;
  language: string | null;
  /** The stored value that the form changes. */
  opened: string;
  children: ReactNode;
}

/** The step is a field, so that Enter and the button for another code send it as well. */
function StepForm({ action, step, language, opened, answer, code, hasOutbox, children }: StepFormProps) {
  const needsCode = code !== null && answer?.step === step && answer.language === language;
  const hasFile = step === "add" || step === "replace";
  return (
    <TypedForm
      method="post"
      action={`${action}#captions`}
      encType={hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"}
    >
      <input type="hidden" name="section" value="captions" />
      <input type="hidden" name="opened" value={opened} />
      {language !== null && <input type="hidden" name="language" value={language} />}
      {!needsCode && <input type="hidden" name="intent" value={step} />}
      <Stack gap="md">
        {needsCode && hasFile && <p>Please choose the file again, too. Browsers do not keep it.</p>}
        <FormCode code={needsCode ? code : null} intent={step} hasOutbox={hasOutbox} />
        {children}
      </Stack>
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
