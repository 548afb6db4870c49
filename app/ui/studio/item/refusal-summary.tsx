import { Alert, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { ErrorIdLine } from "#app/ui/forms/form-error.tsx";
import { ErrorIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";

export interface RefusalLine {
  at: string | null;
  sentence: string;
}

interface RefusalSummaryProps {
  problems: RefusalLine[];
  errorId: string | undefined;
}

/** At the top, where a browser without JavaScript starts reading. With it, the first wrong field gets the focus. */
export function RefusalSummary({ problems, errorId }: RefusalSummaryProps) {
  const summary = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const target = fieldAt(problems[0]?.at ?? null) ?? summary.current;
    if (target === null) return;
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus();
  }, [problems]);

  if (problems.length === 0) return null;
  return (
    <Alert ref={summary} tabIndex={-1} color="red" icon={<ErrorIcon />}>
      <Stack gap="xs">
        <p>
          <strong>Nothing was changed.</strong> Please check this:
        </p>
        <ul>
          {problems.map(({ at, sentence }) => (
            <li key={sentence}>{at === null ? sentence : <a href={`#${at}`}>{sentence}</a>}</li>
          ))}
        </ul>
        <ErrorIdLine id={errorId} />
      </Stack>
    </Alert>
  );
}

/** Null for a whole section, which does not repeat the sentence. */
function fieldAt(at: string | null): HTMLElement | null {
  const target = at === null ? null : document.getElementById(at);
  return target instanceof HTMLElement && target.tagName !== "SECTION" ? target : null;
}
