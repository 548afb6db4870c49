/** The full tier tries every text at every route, where the gate shares them among the routes that read them alike. */
export const isFullTier = process.env.TEST_TIER === "full";
