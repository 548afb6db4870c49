import Stripe from "stripe";
import type { Faults } from "../calls/circuit-breaker.server.ts";

export const stripeFaults: Faults = {
  isOutage: (error) => {
    if (error instanceof Stripe.errors.StripeConnectionError) return true;
    const status = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0;
    // Rate limiting is not an outage: one caller could otherwise open the circuit for everybody.
    return status >= 500;
  },
  isWrongSettings: () => false,
  reasonOf: (error) => {
    const { errors } = Stripe;
    if (error instanceof errors.StripeAuthenticationError)
      return "Stripe rejects the key in STRIPE_SECRET_KEY. Correct it.";
    if (error instanceof errors.StripePermissionError)
      return "The key in STRIPE_SECRET_KEY lacks a permission for this. Give it the permission, or use another key.";
    if (error instanceof errors.StripeConnectionError) return "Stripe does not answer. Try again later.";
    if (!(error instanceof errors.StripeError)) return null;
    return `Stripe answered with an error (${error.statusCode ?? "none"}, request ${error.requestId ?? "unknown"}).`;
  },
  noAnswer: "Stripe does not answer. Try again later.",
};
