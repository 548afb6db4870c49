import { Alert, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { ErrorIdLine } from "#app/ui/forms/problem.tsx";
import { ProblemIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./item.module.css";
import type { ShownProblem } from "./refusals.ts";

/** Stands first on the page, because this work is left to do. */
export function ItemProblems({ problems }: { problems: ShownProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <section aria-labelledby="problems-title" className={styles.problems}>
      <h2 id="problems-title">
        {problems.length === 1 ? "One thing to look at" : `${problems.length} things to look at`}
      </h2>
      <ul>
        {problems.map(({ at, sentence }) => (
          <li key={sentence}>{at === null ? sentence : <a href={`#${at}`}>{sentence}</a>}</li>
        ))}
      </ul>
    </section>
  );
}

interface RefusalSummaryProps {
  problems: ShownProblem[];
  errorId: string | undefined;
}

/** Stands at the top, where a browser without JavaScript starts reading; with it the focus goes there. */
export function RefusalSummary({ problems, errorId }: RefusalSummaryProps) {
  const summary = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is a new list, and moves the focus again.
  useEffect(() => summary.current?.focus(), [problems]);

  if (problems.length === 0) return null;
  return (
    <Alert ref={summary} tabIndex={-1} color="red" icon={<ProblemIcon />}>
      <Stack gap="xs">
        <p>
          <strong>Nothing was changed.</strong> Please look at this once more:
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
