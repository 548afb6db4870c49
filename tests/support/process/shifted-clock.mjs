// Preloaded into a web process by NODE_OPTIONS: its clock is off by CLOCK_SHIFT_MS, as on a machine without time
// synchronization.
const shift = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = globalThis.Date;

class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shift;
  }
}

globalThis.Date = ShiftedDate;
