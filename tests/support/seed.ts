// biome-ignore lint/style/noRestrictedImports: this is where the seed is set
import fc from "fast-check";

/** The same in every `npm test`, so that a red run is about the change; `npm run test:slow` draws one. */
const USUAL_SEED = 215_280;

/** The one seed of every random test. */
export const SEED = Number(process.env.TEST_SEED || USUAL_SEED);

fc.configureGlobal({ seed: SEED });

// Tests import it from here, because only those that use it should wait for it.
export { fc };
