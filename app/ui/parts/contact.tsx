import { createContext, useContext } from "react";

const ContactContext = createContext<string | null>(null);

export const ContactProvider = ContactContext.Provider;

export function useContactEmail(): string | null {
  return useContext(ContactContext);
}

export function useContactText(): string {
  return useContactEmail() ?? "the operator of this site";
}

export function ContactLink() {
  const email = useContactEmail();
  return email === null ? "the operator of this site" : <a href={`mailto:${email}`}>{email}</a>;
}
