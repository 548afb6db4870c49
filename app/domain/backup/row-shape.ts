const TAB = 9;
const NEWLINE = 10;

/** Whether rows in COPY's text format have a value for each column, so that a server takes all of them. */
export class RowShape {
  #columns: number;
  /** In the row that is being read. */
  #tabs = 0;
  #isWithinRow = false;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Returns false at the first row with more or fewer values. A piece may end in the middle of a row. */
  add(piece: Uint8Array): boolean {
    for (const byte of piece) {
      this.#isWithinRow = byte !== NEWLINE;
      if (byte === TAB) this.#tabs += 1;
      if (byte !== NEWLINE) continue;
      if (this.#tabs !== this.#columns - 1) return false;
      this.#tabs = 0;
    }
    return true;
  }

  get isWhole(): boolean {
    return !this.#isWithinRow;
  }
}
