// Preloaded into a site by NODE_OPTIONS: performance.now() goes on by CLOCK_STEP_MS at each SIGHUP, so that a promise
// about a minute needs no minute, and the speed of the computer does not matter.
const step = Number(process.env.CLOCK_STEP_MS);
const realNow = performance.now.bind(performance);
let passed = 0;

performance.now = () => realNow() + passed;
process.on("SIGHUP", () => {
  passed += step;
  process.stdout.write(`clock ${passed}\n`);
});
