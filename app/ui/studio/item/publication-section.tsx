import { Button, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import formStyles from "#app/ui/forms/form.module.css";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import type { OverviewAnswer } from "#app/web/forms/overview-form.server.ts";
import type { FormGroupAnswer } from "#app/web/studio/form-group.server.ts";
import { useSaves } from "../part-form.tsx";
import studioStyles from "../studio.module.css";
import { TypedForm } from "../typed-form.tsx";
import { FormGroup } from "./form-group.tsx";
import styles from "./item.module.css";
import type { RefusalLine } from "./refusal-summary.tsx";

interface PublicationSectionProps {
  action: string;
  sentence: string;
  transitions: TransitionName[];
  mayChange: boolean;
  /** What the item will be when it is brought back. */
  comeback: string;
  timeZone: string;
  /** What the item lacks, in sentences. */
  missing: string;
  /** "2026-11-27T20:00"; null when it is not scheduled. */
  plan: string | null;
  limits: { reason: number };
  notice: string | null;
  answer: FormGroupAnswer<OverviewAnswer> | undefined;
}

/** What each button does. The state as it is stands above them. */
const ABOUT: Record<TransitionName, { label: string; about: string }> = {
  publish: {
    label: "Publish now",
    about: "Publish it now: it appears on the site at once, for everyone with access.",
  },
  schedule: { label: "Schedule", about: "Schedule it: it is published automatically at that time." },
  makeDraft: {
    label: "Make it a draft",
    about: "Make it a draft: then only staff and people with a draft link can see it.",
  },
  hide: {
    label: "Hide",
    about: "Hide it: visitors then get a “Not found” page at its address until you bring it back.",
  },
  show: { label: "Bring it back", about: "" },
  takeDown: {
    label: "Take it down",
    about: "Take it down, for complaints: its page then says that it is gone, and nobody can get its files.",
  },
  bringBack: { label: "Bring it back", about: "" },
  delete: { label: "Delete it", about: "Delete it: its files are deleted, too. This cannot be undone." },
};

const ABOUT_PLANNED: typeof ABOUT = {
  ...ABOUT,
  schedule: {
    label: "Change the date",
    about: "Change the date: it is published automatically at the new time.",
  },
  makeDraft: {
    label: "Cancel the schedule",
    about: "Cancel the schedule: it becomes a draft again and is not published.",
  },
};

export function PublicationSection({ notice, answer, sentence, ...props }: PublicationSectionProps) {
  const { transitions, mayChange } = props;
  const saves = useSaves(answer === undefined && notice !== null);
  return (
    <FormGroup
      id="publication"
      title="Publication"
      about={<p>{sentence}</p>}
      notice={notice}
      answer={answer}
      refusals={refusals}
    >
      {transitions.length === 0 ? (
        <p className={styles.muted}>
          {mayChange ? "This state cannot be changed." : "Only a publisher or an owner can change it."}
        </p>
      ) : (
        <ul key={saves} className={styles.transitions}>
          {inOrder(transitions, props.plan).map((name) => (
            <li key={name} id={hasInput(name) ? undefined : idOf(name)}>
              <Transition
                {...props}
                name={name}
                sent={answer?.sent?.intent === name ? answer.sent : undefined}
              />
            </li>
          ))}
        </ul>
      )}
    </FormGroup>
  );
}

/** The date of a scheduled item comes before its publication at once. */
function inOrder(transitions: TransitionName[], plan: string | null): TransitionName[] {
  return plan === null ? transitions : [...new Set<TransitionName>(["schedule", ...transitions])];
}

function refusals({ intent, error, isUnticked }: OverviewAnswer): RefusalLine[] {
  return error === null ? [] : [{ at: idOf(intent) + (isUnticked ? "-confirm" : ""), sentence: error }];
}

function idOf(name: string): string {
  return `publication-${name}`;
}

/** An input with the id of its transition, which shows the error about it. */
function hasInput(name: TransitionName): boolean {
  return name === "schedule" || name === "takeDown";
}

interface TransitionProps
  extends Omit<PublicationSectionProps, "sentence" | "mayChange" | "notice" | "answer"> {
  name: TransitionName;
  sent: OverviewAnswer | undefined;
}

/** A form with its own button. */
function Transition({ action, name, transitions, sent, ...props }: TransitionProps) {
  const { comeback, missing, plan, limits } = props;
  const { isUnticked = false, isTicked = false, timeZone = props.timeZone } = sent ?? {};
  const error = sent?.error ?? undefined;
  const [id, errorId] = [idOf(name), `${idOf(name)}-error`];
  const { label, about } = (plan === null ? ABOUT : ABOUT_PLANNED)[name];
  const tick = (words: string) => (
    <Tick
      id={`${id}-confirm`}
      name="confirm"
      value="yes"
      defaultChecked={isTicked}
      aria-invalid={isUnticked || undefined}
      aria-describedby={isUnticked ? errorId : undefined}
    >
      {words}
    </Tick>
  );
  // It may have become incomplete since the page was opened.
  const anyway = (missing !== "" || isUnticked) && (
    <>
      {missing !== "" && !isUnticked && <p>{missing}</p>}
      {tick(name === "schedule" ? "Schedule it anyway" : "Publish it anyway")}
    </>
  );
  const fields: Partial<Record<TransitionName, ReactNode>> = {
    publish: anyway,
    schedule: (
      <>
        <input type="hidden" name="timeZone" value={timeZone} />
        <TextInput
          id={id}
          name="publishAt"
          type="datetime-local"
          label={`Date and time (${timeZone})`}
          defaultValue={sent?.publishAt ?? plan ?? ""}
          error={isUnticked ? undefined : error}
          size="md"
        />
        {anyway}
      </>
    ),
    takeDown: (
      <Textarea
        id={id}
        name="reason"
        label={fieldLabel("reason")}
        description="For staff and the audit log. Visitors do not see it."
        defaultValue={sent?.reason}
        maxLength={limits.reason}
        rows={2}
        error={error}
        size="md"
      />
    ),
    delete: tick("Yes, delete it and its files for good"),
  };
  return (
    <MaybeFolded label={FOLDED[name]} isOpen={sent !== undefined}>
      <TypedForm method="post" action={action} preventScrollReset className={styles.transition}>
        <p className={styles.muted}>{about || comeback}</p>
        {fields[name]}
        {error !== undefined && (isUnticked || !hasInput(name)) && (
          <p id={errorId} className={formStyles.wrong}>
            {error}
          </p>
        )}
        <div>
          <Button type="submit" name="intent" value={name} {...lookOf(name, transitions, plan)}>
            {label}
          </Button>
        </div>
      </TypedForm>
    </MaybeFolded>
  );
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

/** One primary button; dangerous ones are red. */
function lookOf(name: TransitionName, all: TransitionName[], plan: string | null) {
  if (name === "takeDown" || name === "delete") return { variant: "outline", color: "red" };
  const mains: TransitionName[] = [plan === null ? "publish" : "schedule", "show", "bringBack"];
  const first = mains.find((each) => all.includes(each));
  return name === first ? {} : { variant: "default" };
}
