import { Button, Card, Group } from "@mantine/core";
import { Link } from "@remix-run/react";
import type { CurrentPlan } from "#app/domain/billing/subscriptions/current-plan.ts";
import { paths } from "#app/paths.ts";
import { NextStepButton, PortalButton } from "#app/ui/forms/next-step-button.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./subscribe.module.css";

const TITLES: Record<CurrentPlan["state"], string> = {
  open: "You are subscribed",
  unrenewed: "Your subscription has not renewed yet",
  overdue: "Your payment did not go through",
  unbegun: "Your payment is not complete",
  paymentPending: "Your bank is sending the money",
  paused: "Your subscription is paused",
};

export function SubscriptionState({ name, price, sentence, next, state, canCancel, hasPortal }: CurrentPlan) {
  const isDue = ["unrenewed", "overdue", "unbegun"].includes(state);
  return (
    <Card component="section" padding="xl" className={styles.state} data-due={isDue || undefined}>
      <h2>{TITLES[state]}</h2>
      <p className={styles.plan}>
        <strong>{name}</strong>, {price}
      </p>
      <p>{sentence}</p>
      {state === "overdue" ? (
        <p>You keep your favorites and your progress in everything you have started.</p>
      ) : null}
      <Group gap="sm">
        <NextStepButton {...next} />
        {hasPortal && !isDue ? <PortalButton /> : null}
        {canCancel ? (
          <Button component={Link} to={paths.subscription()} variant="default">
            Cancel
          </Button>
        ) : null}
      </Group>
    </Card>
  );
}

export function NotOpenYet({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <Card component="section" padding="xl" className={styles.state}>
      <h2>Not open yet</h2>
      <p>
        You cannot subscribe here right now, so everything for subscribers stays locked.{" "}
        {isSignedIn ? (
          <>
            What is free for members is open to you: <Link to={paths.list("video")}>see the videos</Link>.
          </>
        ) : (
          <>
            Signing up is free and opens what is free for members: <Link to={paths.signIn()}>sign up</Link>.
          </>
        )}
      </p>
    </Card>
  );
}
