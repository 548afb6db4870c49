import type { AccessViewer } from "#app/domain/access/access.ts";
import type { SignedIn } from "#app/domain/viewer/find-viewer.server.ts";

export interface Viewer extends AccessViewer {
  user: SignedIn["user"] | null;
  subscription: SignedIn["subscription"];
  session: Pick<
    SignedIn,
    "sessionId" | "expiresIn" | "renewedSecondsAgo" | "signedInSecondsAgo" | "now"
  > | null;
}
