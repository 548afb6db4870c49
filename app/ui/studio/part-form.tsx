import { type FieldMetadata, getFormProps, useForm } from "@conform-to/react";
import { Button, Group, Stack } from "@mantine/core";
import { Form, Link, useActionData, useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { paths } from "#app/paths.ts";
import { AnotherCodeButton, CodeField } from "#app/ui/forms/code-field.tsx";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";
import type { PartAnswer, ShownConflict } from "#app/web/studio/part-form.server.ts";
import styles from "./part-form.module.css";
import { SignedOutNote, useIsSignedOut } from "./signed-out.tsx";
import { useUnsaved } from "./unsaved.ts";

export type PartFields<Fields extends Record<string, unknown>> = Required<{
  [Name in keyof Fields]: FieldMetadata<Fields[Name], Fields, string[]>;
}>;

/** How a page opened its form. */
export interface OpenedPart {
  /** Of the values, to notice somebody else's save in the meantime. */
  version: string;
  /** A sentence about what was saved. */
  notice: string | null;
  /** The notice is about another form of the page, so what is typed here stays. */
  isOfOthers?: boolean;
  hasNextDraft?: boolean;
}

/** For a form that overwrites nothing. */
const UNCOMPARED: OpenedPart = { version: "", notice: null };

interface PartFormProps<Fields extends Record<string, unknown>> {
  id: string;
  title: string;
  about?: ReactNode;
  values: Fields;
  form?: OpenedPart;
  /** The name of the button, unless it is "Save". */
  save?: string;
  isDangerous?: boolean;
  hasFile?: boolean | undefined;
  /** Buttons beside "Save". */
  extra?: ReactNode;
  children: (fields: PartFields<Fields>) => ReactNode;
}

/** The one form of a page in the studio. */
export function PartForm<Fields extends Record<string, unknown>>({
  title,
  about,
  form = UNCOMPARED,
  ...rest
}: PartFormProps<Fields>) {
  const sent = useActionData<PartAnswer | object>();
  // Another form of the page has an answer of its own.
  const answer = useKeptAnswer(sent && "form" in sent ? sent : undefined, form);
  const notice = answer === undefined ? form.notice : null;
  // Fields that were filled in by a button begin anew: what was typed would hide it.
  const isFilled = sent !== undefined && "isFilled" in sent;
  const saves = useSaves(isFilled || (notice !== null && !form.isOfOthers));
  return (
    <FormSection id={rest.id} title={title} about={about} done={notice ?? undefined} isAlone>
      <OpenedForm key={saves} {...rest} form={form} answer={answer} />
    </FormSection>
  );
}

type OpenedFormProps<Fields extends Record<string, unknown>> = Omit<
  PartFormProps<Fields>,
  "title" | "about" | "form"
> & { form: OpenedPart; answer: PartAnswer | undefined };

function OpenedForm<Fields extends Record<string, unknown>>({
  id,
  answer,
  save: ownSave = "Save",
  isDangerous,
  hasFile,
  extra,
  children,
  ...props
}: OpenedFormProps<Fields>) {
  // Kept when the page reloads its data: what was typed must be compared with what was seen.
  const [{ values, form: opened }] = useState(props);
  const [form, fields] = useForm<Fields, Fields, string[]>({
    // The section around it has the id itself.
    id: `${id}-form`,
    lastResult: answer?.form ?? null,
    defaultValue: values as never,
  });
  const [isTouched, setIsTouched] = useState(answer !== undefined);
  const isHeldBack = useIsSignedOut() && isTouched;
  const { conflict, code } = answer ?? {};
  // A page without JavaScript has been opened anew: the sent version still tells what was seen.
  const sent = answer?.form.initialValue?.version;
  const version = conflict?.version ?? (typeof sent === "string" ? sent : opened.version);
  useUnsaved(isTouched);
  const element = useFocusOnRefusal(answer, form.allErrors);
  const save = conflict === undefined ? ownSave : "Save mine";
  return (
    <Form
      method="post"
      encType={hasFile ? "multipart/form-data" : undefined}
      preventScrollReset
      {...getFormProps(form)}
      ref={element}
      onInput={({ target }) => {
        if (!(target instanceof HTMLElement) || target.dataset.unsaved !== "never") setIsTouched(true);
      }}
      onSubmit={(event) => {
        if (isHeldBack) event.preventDefault();
      }}
    >
      {/* Enter presses the first button of a form. */}
      <button type="submit" hidden>
        {save}
      </button>
      <input type="hidden" name="version" value={version} />
      <Stack gap="lg">
        {answer?.isTooOld && <TooOldNote />}
        {answer?.isTooOld && hasFile && <FileAgainNote />}
        {conflict && <ConflictNote conflict={conflict} />}
        <ErrorNote id={form.errorId} errors={form.allErrors} errorId={answer?.errorId} />
        {children(fields as PartFields<Fields>)}
        {code && <CodeField code={code} hasOutbox={code.hasOutbox} />}
        <Group gap="sm">
          <SubmitButton
            {...(isDangerous && { variant: "outline", color: "red" })}
            busyLabel="Saving …"
            isOurs={(sent) => !sent.has("intent")}
          >
            {save}
          </SubmitButton>
          {opened.hasNextDraft && (
            <Button type="submit" name="intent" value="next" variant="default">
              Save and next draft
            </Button>
          )}
          {extra}
          {isTouched && <span className={styles.muted}>Not saved yet</span>}
        </Group>
        {isHeldBack && <SignedOutNote />}
        {code && <AnotherCodeButton />}
      </Stack>
    </Form>
  );
}

/** The answer is the page again, with everything that was typed. `formNoValidate`: also while a field is wrong. */
export function PreviewButton(look: { formNoValidate?: boolean }) {
  return (
    <Button type="submit" name="intent" value="preview" variant="default" {...look}>
      Preview
    </Button>
  );
}

/** In a preview, so that a save that is refused shows it again. */
export function KeptPreview() {
  return <input type="hidden" name="previewed" value="yes" />;
}

interface ErrorNoteProps {
  id: string;
  errors: Record<string, string[] | undefined>;
  errorId: string | undefined;
}

/** Above the form, where a browser without JavaScript starts reading. */
function ErrorNote({ id, errors, errorId }: ErrorNoteProps) {
  const wrong = [...new Set(Object.values(errors).flatMap((each) => each ?? []))];
  if (wrong.length === 0) return null;
  return (
    <FormError id={id}>
      <Stack gap="xs">
        <p>
          <strong>Nothing was saved.</strong> {wrong.length === 1 ? wrong[0] : "Please check this:"}
        </p>
        {wrong.length > 1 && (
          <ul>
            {wrong.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        <ErrorIdLine id={errorId} />
      </Stack>
    </FormError>
  );
}

/** The other tab leads to the studio and not to this page, whose address may hold what was typed. */
export function TooOldNote() {
  return (
    <FormError>
      <strong>Nothing was saved yet.</strong> You signed in too long ago to change this. What you entered is
      still here:{" "}
      <a href={paths.confirm("studio", paths.studio())} target="_blank" rel="noreferrer">
        sign in again in another tab
      </a>
      , then press the button again.
    </FormError>
  );
}

export function FileAgainNote() {
  return (
    <noscript>
      <p>Please choose the file again, too. Browsers do not keep it.</p>
    </noscript>
  );
}

/** The fields below hold one's own version. */
function ConflictNote({ conflict: { edit, fields } }: { conflict: ShownConflict }) {
  return (
    <div role="alert" className={styles.conflict}>
      <p>
        <strong>This has changed since you opened it.</strong>{" "}
        {edit !== null && `The last edit is by ${edit.actor}, on ${edit.at}. `}
        Your version is in the fields below.
      </p>
      <dl>
        {fields.map(({ field, label, theirs }) => (
          <div key={field}>
            <dt>{label}, as it is saved now</dt>
            <dd>{theirs === "" ? <em>Empty</em> : theirs}</dd>
          </div>
        ))}
      </dl>
      <p>
        Press “Save mine” to replace what is saved, or{" "}
        <Link to="." reloadDocument>
          discard your version
        </Link>
        .
      </p>
    </div>
  );
}

/** A list of one text comes as that text, and an empty list as nothing. */
export function rowsOf(value: unknown): string[] {
  return [value ?? []].flat().map((each) => (typeof each === "string" ? each : ""));
}

/** Counts the saves, after which the fields show what is stored. A refusal does not count: what is typed meanwhile stays. */
export function useSaves(isSaved: boolean): string {
  const { key, pathname } = useLocation();
  const last = useRef("");
  if (isSaved) last.current = key;
  return pathname + last.current;
}

/** The router drops an answer whenever it loads anything, such as a live update. This one holds until its page is loaded again. */
export function useKeptAnswer<Answer>(answer: Answer | undefined, loaded: object): Answer | undefined {
  const kept = useRef<{ answer: Answer; loaded: object } | null>(null);
  if (answer !== undefined) kept.current = { answer, loaded };
  return answer ?? (kept.current?.loaded === loaded ? kept.current.answer : undefined);
}

/** `errors`: rendered after the answer. */
function useFocusOnRefusal(answer: PartAnswer | undefined, errors: object) {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the errors of an answer come a render later.
  useEffect(() => {
    if (answer === undefined) return;
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    const wrong = find('[aria-invalid="true"]') ?? find('[name="code"]') ?? find('[role="alert"]');
    if (!wrong) return;
    if (wrong.tabIndex < 0) wrong.tabIndex = -1;
    wrong.focus();
  }, [answer, Object.keys(errors).join()]);
  return form;
}
