import { currentProvider } from "./providers/current-provider.server.ts";

/** Origins that a form of this site may lead to: whoever takes the payments has pages of their own. */
export const PAYMENT_PAGES: readonly string[] = currentProvider()?.pageOrigins ?? [];
