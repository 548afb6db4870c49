import { installWhenStale, requireNode } from "./build/install.mjs";

requireNode();
installWhenStale({ withTools: true });
