/** The sample subscriptions of the demo, which no provider has sold. */
export const DEMO_PROVIDER = "demo";

/** What differs between providers. Pages, emails and sentences ask these, never a provider's name: decision 218. */
export interface Capabilities {
  /** Where answers about subscriptions come from: the provider, or the facts that its events have told (decision 219). */
  truth: "provider" | "facts";
  /** Where products and prices are made: in the provider's catalog, or here. */
  offer: "provider" | "local";
  /** False: nobody can be charged again. A period is paid beforehand, and another one lengthens it (decision 220). */
  renews: boolean;
  /** False: a page can be paid for ever, so a sale may arrive after its purchase was replaced or has expired. */
  canClose: boolean;
  /** False: only an event tells that a page was paid, and it may come after the buyer. */
  canReadPage: boolean;
  can: {
    /** Undo a cancellation. */
    keep: boolean;
    /** Begin a new period of a paused subscription. */
    resume: boolean;
  };
  /** The payment page takes codes that lower the price. */
  promotionCodes: boolean;
  /** The provider's page for cards, invoices and unpaid renewals. */
  portal: "hosted" | null;
  /** Who charges the buyer, where that is not the site itself, and where that company answers questions about its charges. */
  help: { name: string; url: string } | null;
}

const NONE: Capabilities = {
  truth: "provider",
  offer: "local",
  renews: true,
  canClose: false,
  canReadPage: false,
  can: { keep: false, resume: false },
  promotionCodes: false,
  portal: null,
  help: null,
};

export const CAPABILITIES: Record<string, Capabilities> = {
  // They look as if a provider that can do everything had sold them.
  [DEMO_PROVIDER]: { ...NONE, can: { keep: true, resume: true }, promotionCodes: true, portal: "hosted" },
  btcpay: { ...NONE, truth: "facts", renews: false, canReadPage: true },
  ccbill: { ...NONE, truth: "facts", help: { name: "CCBill", url: "https://support.ccbill.com" } },
  stripe: {
    truth: "provider",
    offer: "provider",
    renews: true,
    canClose: true,
    canReadPage: true,
    can: { keep: true, resume: true },
    promotionCodes: true,
    portal: "hosted",
    help: null,
  },
};

/** A provider that is not known any more can do nothing. */
export function capabilitiesOf(provider: string): Capabilities {
  return CAPABILITIES[provider] ?? NONE;
}
