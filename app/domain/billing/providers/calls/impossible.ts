/** What no page asks for, because the provider's capabilities say so. */
export function impossible(provider: string, what: string): Promise<never> {
  return Promise.reject(new Error(`${provider} cannot ${what}: ask capabilitiesOf`));
}
