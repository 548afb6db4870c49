import type { AccessViewer } from "../access/access.ts";
import type { SignedIn } from "./find-viewer.server.ts";

export interface Viewer extends AccessViewer {
  user: SignedIn["user"] | null;
  subscription: SignedIn["subscription"];
  session: Pick<
    SignedIn,
    "sessionId" | "expiresIn" | "renewedSecondsAgo" | "signedInSecondsAgo" | "now"
  > | null;
}
