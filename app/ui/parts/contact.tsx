import { createContext, useContext } from "react";
import { NO_CONTACT } from "#app/texts.ts";

const ContactContext = createContext<string | null>(null);

export const ContactProvider = ContactContext.Provider;

export function useContactEmail(): string | null {
  return useContext(ContactContext);
}

export function useContactText(): string {
  return useContactEmail() ?? NO_CONTACT;
}

export function ContactLink() {
  const email = useContactEmail();
  return email === null ? NO_CONTACT : <a href={`mailto:${email}`}>{email}</a>;
}
