export interface RefusalLine {
  at: string | null;
  sentence: string;
}

export function conflictError(section: string): RefusalLine {
  const sentence = "Somebody else saved this section after you opened it. Compare both versions.";
  return { at: `${section}-conflicts`, sentence };
}
