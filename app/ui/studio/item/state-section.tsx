import { Button, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import { AnotherCodeButton, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { Tick } from "#app/ui/forms/field.tsx";
import formStyles from "#app/ui/forms/form.module.css";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import studioStyles from "../studio.module.css";
import { TypedForm } from "../typed-form.tsx";
import { FormCode } from "./form-code.tsx";
import styles from "./item.module.css";

interface StateSectionProps {
  action: string;
  /** Says who sees the item now, and since or until when. */
  sentence: string;
  transitions: TransitionName[];
  mayChange: boolean;
  /** In which the plan is shown. */
  timeZone: string;
  isPlanned: boolean;
  /** "2026-11-27T20:00", the plan or what was typed. */
  plan: string;
  reason: string;
  limits: { reason: number };
  /** The change that was not made. */
  refused: { transition: TransitionName; problem: string | null; isTicked: boolean } | undefined;
  /** Not null when the sign-in was too old for it. */
  code: RequestedCode | null;
  hasOutbox: boolean;
  done: string | undefined;
}

const ABOUT: Record<TransitionName, { label: string; about: string }> = {
  publish: {
    label: "Publish now",
    about: "It will be on the site at once, for everyone whom its access allows.",
  },
  schedule: { label: "Schedule", about: "It will be published by itself at that time." },
  makeDraft: {
    label: "Make it a draft",
    about: "It will leave the site, and only the staff will see it, as before its publication.",
  },
  hide: {
    label: "Hide",
    about: "Visitors will find nothing at its address until you bring it back.",
  },
  show: { label: "Bring it back", about: "It will return to the state from which it was hidden." },
  takeDown: {
    label: "Take it down",
    about: "The page will say that it is gone, and nobody will get its files. For complaints.",
  },
  bringBack: { label: "Bring it back", about: "It will return to the state from which it was taken down." },
  delete: { label: "Delete it", about: "Its files will be removed. This cannot be undone." },
};

const ABOUT_PLANNED: typeof ABOUT = {
  ...ABOUT,
  schedule: { label: "Change the date", about: ABOUT.schedule.about },
  makeDraft: {
    label: "Cancel the schedule",
    about: "It will be a draft again, and will not be published by itself.",
  },
};

export function StateSection(props: StateSectionProps) {
  const { action, sentence, transitions, timeZone, plan, reason, limits, refused, done, mayChange } = props;
  const { code, hasOutbox, isPlanned } = props;
  const texts = isPlanned ? ABOUT_PLANNED : ABOUT;
  const errorOf = (name: TransitionName) =>
    refused?.transition === name ? (refused.problem ?? undefined) : undefined;
  const codeOf = (name: TransitionName) => (refused?.transition === name ? code : null);
  const fields: Partial<Record<TransitionName, ReactNode>> = {
    schedule: (
      <>
        <input type="hidden" name="timeZone" value={timeZone} />
        <TextInput
          id="state-schedule"
          name="publishAt"
          type="datetime-local"
          label={`Date and time (${timeZone})`}
          defaultValue={plan}
          error={errorOf("schedule")}
          size="md"
        />
      </>
    ),
    takeDown: (
      <Textarea
        id="state-takeDown"
        name="reason"
        label="Reason"
        description="For the staff and the log, not for visitors."
        inputWrapperOrder={["label", "input", "error", "description"]}
        defaultValue={reason}
        maxLength={limits.reason}
        rows={2}
        error={errorOf("takeDown")}
        size="md"
      />
    ),
    delete: (
      <Tick
        id="state-delete"
        name="confirm"
        value="yes"
        defaultChecked={refused?.isTicked}
        aria-invalid={errorOf("delete") ? true : undefined}
        aria-describedby={errorOf("delete") ? "state-delete-error" : undefined}
      >
        Yes, delete it and its files for good
      </Tick>
    ),
  };
  return (
    <FormSection id="state" title="State" about={<p>{sentence}</p>} done={done}>
      {transitions.length === 0 ? (
        <p className={styles.muted}>
          {mayChange ? "This state cannot be changed." : "A publisher or an owner changes the state."}
        </p>
      ) : (
        <ul className={styles.transitions}>
          {transitions.map((name) => (
            <li key={name} id={name in fields ? undefined : `state-${name}`}>
              <MaybeFolded label={FOLDED[name]} isOpen={refused?.transition === name}>
                <TypedForm method="post" action={action} preventScrollReset className={styles.transition}>
                  <input type="hidden" name="section" value="state" />
                  <p className={styles.muted}>{texts[name].about}</p>
                  {fields[name]}
                  {(!(name in fields) || name === "delete") && (
                    <TransitionError id={`state-${name}-error`} words={errorOf(name)} />
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

/** Rare transitions that are hard to undo are out of the way. */
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

/** One primary button; what hurts looks like it. */
function lookOf(name: TransitionName, all: TransitionName[]) {
  if (name === "takeDown" || name === "delete") return { variant: "outline", color: "red" };
  const [first] = (["publish", "show", "bringBack"] as const).filter((each) => all.includes(each));
  return name === first ? {} : { variant: "default" };
}
