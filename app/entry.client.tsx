import { RemixBrowser } from "@remix-run/react";
import { hydrateDocument } from "#app/adapters/hydration/hydrate-document.tsx";
import { tolerateMovedNodes } from "#app/adapters/hydration/moved-nodes.ts";
import { keepReplacedTexts } from "#app/adapters/hydration/replaced-texts.ts";
import { expectRedirectsBeforeStyles } from "#app/adapters/redirects-before-styles.ts";
import { dropUnsentOnRequest } from "#app/ui/progress/unsent-progress.ts";

dropUnsentOnRequest();
keepReplacedTexts();
tolerateMovedNodes();
expectRedirectsBeforeStyles();
hydrateDocument(<RemixBrowser />);
