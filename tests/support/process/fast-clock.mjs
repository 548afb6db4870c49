// Preloaded into a site by NODE_OPTIONS: timers and performance.now() run CLOCK_SPEED times as fast, so that a promise
// about minutes takes seconds. tests/support/fast-site.ts lists what moves with them and what does not.
const speed = Number(process.env.CLOCK_SPEED);

for (const name of ["setTimeout", "setInterval"]) {
  const real = globalThis[name];
  const fast = (callback, delay, ...args) => real(callback, delay / speed, ...args);
  // util.promisify finds its own version there.
  globalThis[name] = Object.defineProperties(fast, Object.getOwnPropertyDescriptors(real));
}

const realNow = performance.now.bind(performance);
const start = realNow();
performance.now = () => start + (realNow() - start) * speed;
