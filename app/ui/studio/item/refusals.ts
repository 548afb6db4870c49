export interface RefusalLine {
  at: string | null;
  sentence: string;
}
