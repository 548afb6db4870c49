import { currentProvider } from "./providers/current-provider.server.ts";

interface Forgotten {
  provider: string;
  customerId: string;
}

/**
 * Removes whoever has deleted their account from the provider, too, with every page on which they could still pay. Of a
 * provider that this site no longer uses nothing can be asked. Throws ProviderUnreachable, so that the job is tried again.
 */
export async function forgetCustomer({ provider: name, customerId }: Forgotten): Promise<void> {
  const provider = currentProvider();
  if (provider?.name === name) await provider.forgetCustomer(customerId);
}
