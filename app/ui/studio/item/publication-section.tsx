import { Button, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import { AnotherCodeButton, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { Tick } from "#app/ui/forms/field.tsx";
import formStyles from "#app/ui/forms/form.module.css";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import studioStyles from "../studio.module.css";
import { TypedForm } from "../typed-form.tsx";
import { FormCode } from "./form-code.tsx";
import styles from "./item.module.css";

interface PublicationSectionProps {
  action: string;
  sentence: string;
  transitions: TransitionName[];
  mayChange: boolean;
  /** What the item will be when it is brought back. */
  comeback: string;
  timeZone: string;
  isPlanned: boolean;
  /** What the item lacks, in sentences. */
  missing: string;
  /** "2026-11-27T20:00", as planned or as typed. */
  plan: string;
  reason: string;
  limits: { reason: number };
  refused:
    | { transition: TransitionName; error: string | null; isTicked: boolean; isUnconfirmed: boolean }
    | undefined;
  code: RequestedCode | null;
  hasOutbox: boolean;
  done: string | undefined;
}

const ABOUT: Record<TransitionName, { label: string; about: string }> = {
  publish: {
    label: "Publish now",
    about: "It appears on the site at once, for everyone with access.",
  },
  schedule: { label: "Schedule", about: "It is published automatically at that time." },
  makeDraft: {
    label: "Make it a draft",
    about: "It leaves the site. Only staff can see it, as before its publication.",
  },
  hide: {
    label: "Hide",
    about: "Visitors find nothing at its address until you bring it back.",
  },
  show: { label: "Bring it back", about: "" },
  takeDown: {
    label: "Take it down",
    about: "For complaints. The page says that the item is gone, and nobody can get its files.",
  },
  bringBack: { label: "Bring it back", about: "" },
  delete: { label: "Delete it", about: "Its files are deleted. This cannot be undone." },
};

const ABOUT_PLANNED: typeof ABOUT = {
  ...ABOUT,
  schedule: { label: "Change the date", about: ABOUT.schedule.about },
  makeDraft: {
    label: "Cancel the schedule",
    about: "It becomes a draft again and is not published.",
  },
};

export function PublicationSection(props: PublicationSectionProps) {
  const { action, sentence, transitions, timeZone, plan, reason, limits, refused, done, mayChange } = props;
  const { code, hasOutbox, isPlanned, comeback, missing } = props;
  const texts = isPlanned ? ABOUT_PLANNED : ABOUT;
  const errorOf = (name: TransitionName) =>
    refused?.transition === name ? (refused.error ?? undefined) : undefined;
  const codeOf = (name: TransitionName) => (refused?.transition === name ? code : null);
  const isUnticked = (name: TransitionName) => refused?.transition === name && refused.isUnconfirmed;
  const tick = (name: TransitionName, words: string) => (
    // A plan that was saved leaves no tick for the next one.
    <Tick
      key={plan}
      id={`publication-${name}-confirm`}
      name="confirm"
      value="yes"
      defaultChecked={refused?.transition === name && refused.isTicked}
      aria-invalid={isUnticked(name) || undefined}
      aria-describedby={isUnticked(name) ? `publication-${name}-error` : undefined}
    >
      {words}
    </Tick>
  );
  const anyway = (name: TransitionName) =>
    // It may have become incomplete since the page was opened.
    (missing !== "" || isUnticked(name)) && (
      <>
        {missing !== "" && !isUnticked(name) && <p>{missing}</p>}
        {tick(name, "Publish it anyway")}
      </>
    );
  const fields: Partial<Record<TransitionName, ReactNode>> = {
    publish: anyway("publish"),
    schedule: (
      <>
        <input type="hidden" name="timeZone" value={timeZone} />
        <TextInput
          id="publication-schedule"
          name="publishAt"
          type="datetime-local"
          label={`Date and time (${timeZone})`}
          defaultValue={plan}
          error={isUnticked("schedule") ? undefined : errorOf("schedule")}
          size="md"
        />
        {anyway("schedule")}
      </>
    ),
    takeDown: (
      <Textarea
        id="publication-takeDown"
        name="reason"
        label={fieldLabel("reason")}
        description="For staff and the audit log. Visitors do not see it."
        inputWrapperOrder={["label", "input", "error", "description"]}
        defaultValue={reason}
        maxLength={limits.reason}
        rows={2}
        error={errorOf("takeDown")}
        size="md"
      />
    ),
    delete: tick("delete", "Yes, delete it and its files for good"),
  };
  return (
    <FormSection id="publication" title="Publication" about={<p>{sentence}</p>} done={done}>
      {transitions.length === 0 ? (
        <p className={styles.muted}>
          {mayChange ? "This state cannot be changed." : "Only a publisher or an owner can change it."}
        </p>
      ) : (
        <ul className={styles.transitions}>
          {transitions.map((name) => (
            <li key={name} id={hasInput(name) ? undefined : `publication-${name}`}>
              <MaybeFolded label={FOLDED[name]} isOpen={refused?.transition === name}>
                <TypedForm method="post" action={action} preventScrollReset className={styles.transition}>
                  <input type="hidden" name="section" value="publication" />
                  <p className={styles.muted}>{texts[name].about || comeback}</p>
                  {fields[name]}
                  {(!hasInput(name) || isUnticked(name)) && (
                    <TransitionError id={`publication-${name}-error`} words={errorOf(name)} />
                  )}
                  <FormCode code={codeOf(name)} intent={name} hasOutbox={hasOutbox} />
                  <div>
                    <Button type="submit" name="intent" value={name} {...lookOf(name, transitions)}>
                      {texts[name].label}
                    </Button>
                  </div>
                  {codeOf(name) !== null && <AnotherCodeButton />}
                </TypedForm>
              </MaybeFolded>
            </li>
          ))}
        </ul>
      )}
    </FormSection>
  );
}

/** An input with the id of its transition, which shows the error about it. */
function hasInput(name: TransitionName): boolean {
  return name === "schedule" || name === "takeDown";
}

/** They are rare, and hard to undo. */
const FOLDED: Partial<Record<TransitionName, string>> = {
  takeDown: "Take it down …",
  delete: "Delete it …",
};

interface MaybeFoldedProps {
  label: string | undefined;
  isOpen: boolean;
  children: ReactNode;
}

function MaybeFolded({ label, isOpen, children }: MaybeFoldedProps) {
  if (label === undefined) return children;
  return (
    <details open={isOpen || undefined} className={studioStyles.folded}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}

function TransitionError({ id, words }: { id: string; words: string | undefined }) {
  if (words === undefined) return null;
  return (
    <p id={id} className={formStyles.wrong}>
      {words}
    </p>
  );
}

/** One primary button; dangerous ones are red. */
function lookOf(name: TransitionName, all: TransitionName[]) {
  if (name === "takeDown" || name === "delete") return { variant: "outline", color: "red" };
  const [first] = (["publish", "show", "bringBack"] as const).filter((each) => all.includes(each));
  return name === first ? {} : { variant: "default" };
}
