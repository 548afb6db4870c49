import Stripe from "stripe";

// The SDK pauses for up to two seconds between its attempts, which no test of this process is about.
Stripe.prototype.getInitialNetworkRetryDelay = () => 0.05;
Stripe.prototype.getMaxNetworkRetryDelay = () => 0.2;
