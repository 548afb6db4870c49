import { Group, Stack } from "@mantine/core";
import { Form, useActionData, useLocation } from "@remix-run/react";
import { type ReactNode, useRef, useState } from "react";
import { AnotherCodeButton, CodeField, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { Tick } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";
import { SignedOutNote, useIsSignedOut } from "../signed-out.tsx";
import { useUnsaved } from "../unsaved.ts";
import styles from "./item.module.css";

export interface ShownConflict {
  field: string;
  label: string;
  theirs: string;
  yours: string;
}

export interface EditedSection<Fields extends object> {
  action: string;
  /** The stored values that the fields showed first. */
  opened: object;
  /** As stored, or as typed in a refused form. */
  fields: Fields;
  isSaved: boolean;
  /** For an error, a conflict or an old sign-in. */
  isRefused: boolean;
  errors: Record<string, string>;
  conflicts: ShownConflict[];
  code: RequestedCode | null;
  hasOutbox: boolean;
}

interface SentSection {
  section: string;
  step: string;
  opened: object;
  fields: object;
  errors: Record<string, string>;
  conflicts: ShownConflict[];
}

interface SectionsPage {
  action: string;
  hasOutbox: boolean;
  saved: string | null;
  sent:
    | {
        section?: SentSection | undefined;
        code?: { section: string; request: RequestedCode } | undefined;
      }
    | undefined;
}

export function editedSections({ action, hasOutbox, saved, sent }: SectionsPage) {
  const codeFor = (name: string) => (sent?.code?.section === name ? sent.code.request : null);
  const section = <Fields extends object>(
    name: string,
    stored: Fields,
    opened: object = stored,
  ): EditedSection<Fields> => {
    const answer = sent?.section?.section === name ? sent.section : undefined;
    return {
      ...{ action, hasOutbox, opened: answer?.opened ?? opened, code: codeFor(name) },
      fields: (answer?.fields ?? stored) as Fields,
      isSaved: saved === name,
      isRefused: answer?.step === "save" || answer?.step === "confirm",
      errors: answer?.errors ?? {},
      conflicts: answer?.conflicts ?? [],
    };
  };
  return { codeFor, section };
}

interface SectionFormProps<Fields extends object> extends EditedSection<Fields> {
  name: string;
  extra?: ReactNode;
  hasSave?: boolean;
  children: (fields: Fields) => ReactNode;
}

/** Sends the values that it was opened with, to notice somebody else's save in the meantime. */
export function SectionForm<Fields extends object>(props: SectionFormProps<Fields>) {
  return <OpenedForm key={useCountOfAnswers(props)} {...props} />;
}

function OpenedForm<Fields extends object>(props: SectionFormProps<Fields>) {
  const { name, action, conflicts, code, hasOutbox, extra, hasSave = true, children } = props;
  // Kept when the page reloads its data: what was typed must be compared with what was seen.
  const [{ opened, fields }] = useState(props);
  const [isTouched, setIsTouched] = useState(props.isRefused);
  useUnsaved(isTouched);
  const isHeldBack = useIsSignedOut() && isTouched;
  return (
    <Form
      method="post"
      action={action}
      // A refusal stays in view; a save leads to its section.
      preventScrollReset
      onInput={({ target }) => {
        if (!isOfSearch(target)) setIsTouched(true);
      }}
      onSubmit={(event) => isHeldBack && event.preventDefault()}
    >
      {/* Enter presses the first button of a form. */}
      <button type="submit" hidden>
        Save
      </button>
      <input type="hidden" name="section" value={name} />
      <input type="hidden" name="opened" value={JSON.stringify(opened)} />
      <Stack gap="lg">
        <Conflicts name={name} conflicts={conflicts} />
        {children(fields)}
        {code !== null && <CodeField code={code} hasOutbox={hasOutbox} />}
        <Group gap="sm">
          {hasSave && (
            <SubmitButton
              busyLabel="Saving …"
              isOurs={(sent) => sent.get("section") === name && !sent.has("intent")}
            >
              Save
            </SubmitButton>
          )}
          {extra}
          {/* Each section is saved alone. */}
          {isTouched && <span className={styles.muted}>Not saved yet</span>}
        </Group>
        {isHeldBack && <SignedOutNote />}
        {code !== null && <AnotherCodeButton />}
      </Stack>
    </Form>
  );
}

/** The words of "Find" do not change the item. */
function isOfSearch(field: EventTarget): boolean {
  return field instanceof HTMLInputElement && field.name === "find";
}

/** The fields below hold one's own version. */
function Conflicts({ name, conflicts }: { name: string; conflicts: ShownConflict[] }) {
  if (conflicts.length === 0) return null;
  return (
    <div className={styles.conflicts} id={`${name}-conflicts`}>
      <p>
        <strong>Somebody else saved this after you opened it.</strong> Your changes are not lost: they are in
        the fields below. Save again to keep yours, or choose the other version of a field.
      </p>
      {conflicts.map(({ field, label, theirs, yours }) => (
        <div key={field} className={styles.conflict}>
          <dl className={styles.versions}>
            <div>
              <dt>{label}, saved by somebody else</dt>
              <dd>{theirs === "" ? <em>Empty</em> : theirs}</dd>
            </div>
            <div>
              <dt>{label}, yours</dt>
              <dd>{yours === "" ? <em>Empty</em> : yours}</dd>
            </div>
          </dl>
          <Tick name="theirs" value={field}>
            Use the other version
          </Tick>
        </div>
      ))}
    </div>
  );
}

/**
 * Counts the answers about this section only, so that unsaved text elsewhere stays. A refusal counts before its navigation
 * ends: a new location would reset the form, and lose what was typed in between.
 */
function useCountOfAnswers({ isSaved, isRefused }: { isSaved: boolean; isRefused: boolean }): number {
  const { key } = useLocation();
  const refusal = useActionData();
  const last = useRef<{ answer: unknown; count: number }>({ answer: null, count: 0 });
  const saved = isSaved ? key : null;
  const refused = isRefused ? refusal : null;
  const answer = refusal === undefined ? saved : refused;
  if (answer !== null && answer !== last.current.answer) {
    last.current = { answer, count: last.current.count + 1 };
  }
  return last.current.count;
}
