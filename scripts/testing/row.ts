export interface Row {
  /** The promise that the tests prove, in the words of a report. */
  promise: string;
  /** Files, or folders that end with a slash: those mean what no earlier row names. */
  tests: string[];
  /** A change below one of these brings the tests into the gate. */
  folders: string[];
}
