import { RemixBrowser } from "@remix-run/react";
import { hydrateDocument } from "#app/ui/hydration/hydrate-document.tsx";
import { tolerateMovedNodes } from "#app/ui/hydration/moved-nodes.ts";
import { keepReplacedTexts } from "#app/ui/hydration/replaced-texts.ts";
import { dropUnsentOnRequest } from "#app/ui/progress/unsent-progress.ts";

dropUnsentOnRequest();
keepReplacedTexts();
tolerateMovedNodes();
hydrateDocument(<RemixBrowser />);
