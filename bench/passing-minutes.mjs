// Preloaded into a web process by NODE_OPTIONS: each SIGUSR2 lets a little more than a minute pass for its clocks, so
// that its caches have expired.
const MINUTE_MS = 61_000;
const RealDate = globalThis.Date;
const realNow = performance.now.bind(performance);
let passedMs = 0;

class LaterDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + passedMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + passedMs;
  }
}

globalThis.Date = LaterDate;
performance.now = () => realNow() + passedMs;
process.on("SIGUSR2", () => {
  passedMs += MINUTE_MS;
});
