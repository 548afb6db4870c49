import { Stack } from "@mantine/core";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import "#app/ui/theme/mantine.css";
import type { FormGroupAnswer } from "#app/web/studio/form-group.server.ts";
import { FileAgainNote, TooOldNote } from "../part-form.tsx";
import { type RefusalLine, RefusalSummary } from "./refusal-summary.tsx";

interface FormGroupProps<Sent> {
  id: string;
  title: string;
  about: ReactNode;
  notice: string | null;
  /** A sentence about an answer that was not refused. */
  done?: string | undefined;
  answer: FormGroupAnswer<Sent> | undefined;
  /** Why the sent form was refused. */
  refusals?: (sent: Sent) => RefusalLine[];
  children: ReactNode;
}

/** Several forms below one heading, with one summary of what was refused. */
export function FormGroup<Sent>({
  answer,
  notice,
  done,
  refusals = () => [],
  children,
  ...section
}: FormGroupProps<Sent>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows an answer, not a new function.
  const problems = useMemo(() => linesOf(answer, refusals), [answer]);
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer?.isTooOld) note.current?.focus();
  }, [answer]);
  return (
    <FormSection {...section} done={answer === undefined ? (notice ?? undefined) : done} isAlone>
      <RefusalSummary problems={problems} errorId={answer?.errorId} />
      {answer?.isTooOld && (
        <Stack gap="xs" ref={note} tabIndex={-1}>
          <TooOldNote />
          {answer.hadFile && <FileAgainNote />}
        </Stack>
      )}
      {children}
    </FormSection>
  );
}

function linesOf<Sent>(
  answer: FormGroupAnswer<Sent> | undefined,
  refusals: (sent: Sent) => RefusalLine[],
): RefusalLine[] {
  const { sent, error, isIncomplete } = answer ?? {};
  const sentence = isIncomplete ? INCOMPLETE : error;
  return [
    ...(sentence === undefined ? [] : [{ at: null, sentence }]),
    ...(sent === undefined ? [] : refusals(sent)),
  ];
}
