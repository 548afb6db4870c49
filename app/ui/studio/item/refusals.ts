import type { TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import { CODE_NEEDED } from "#app/ui/forms/code-field.tsx";

export interface RefusalLine {
  at: string | null;
  sentence: string;
}

export function conflictError(section: string): RefusalLine {
  const sentence = "Somebody else saved this section after you opened it. Compare both versions.";
  return { at: `${section}-conflicts`, sentence };
}

function transitionErrors({ transition, error, isUnconfirmed }: TransitionRefusal): RefusalLine[] {
  if (error === null) return [];
  return [{ at: `publication-${transition}${isUnconfirmed ? "-confirm" : ""}`, sentence: error }];
}

interface TransitionRefusal {
  transition: TransitionName;
  error: string | null;
  isUnconfirmed: boolean;
}

interface ItemRefusals {
  transition?: TransitionRefusal;
  error?: string;
  code?: { section: string };
}

export function refusalLines(sent: ItemRefusals): RefusalLine[] {
  const { transition, error, code } = sent;
  const codeAt = transition === undefined ? code?.section : `publication-${transition.transition}`;
  return [
    ...(code === undefined ? [] : [{ at: codeAt ?? null, sentence: CODE_NEEDED }]),
    ...(error === undefined ? [] : [{ at: null, sentence: error }]),
    ...(transition === undefined ? [] : transitionErrors(transition)),
  ];
}
