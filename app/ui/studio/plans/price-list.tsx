import { Badge, Button, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import { count } from "#app/counts.ts";
import { paths } from "#app/paths.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import "#app/ui/theme/mantine.css";
import styles from "../studio.module.css";

interface PriceRow {
  id: string;
  plan: string;
  /** "$9.99 every 30 days" */
  terms: string;
  isOnSale: boolean;
  subscribers: number;
  unfit: string | null;
}

interface PriceListProps {
  prices: PriceRow[];
  error: string | undefined;
  mayEnd: boolean;
}

export function PriceList({ prices, error, mayEnd }: PriceListProps) {
  return (
    <>
      <FormError>{error}</FormError>
      {!prices.some(({ isOnSale }) => isOnSale) && <p>No price is on sale, so nobody can subscribe.</p>}
      <ul className={styles.rows}>
        {prices.map((price) => (
          <li key={price.id}>
            <div>
              <p>
                <strong>{price.plan}</strong>{" "}
                <Badge component="span" variant="light" color={price.isOnSale ? "green" : "gray"}>
                  {price.isOnSale ? "On sale" : "Ended"}
                </Badge>
              </p>
              <p>{price.terms}</p>
              <p className={styles.muted}>{count(price.subscribers, "subscriber")}</p>
              {price.unfit && <p>The payment provider cannot sell this price: {price.unfit}.</p>}
            </div>
            {mayEnd && price.isOnSale && <EndForm price={price} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function EndForm({ price: { id, plan, terms } }: { price: PriceRow }) {
  return (
    // Folded, because the next price's button moves to where the pressed one was.
    <details className={styles.folded}>
      <summary>
        End this price …{" "}
        <VisuallyHidden>
          {plan}, {terms}
        </VisuallyHidden>
      </summary>
      <Form method="post" action={paths.studioPlans()} preventScrollReset>
        <input type="hidden" name="intent" value="end" />
        <input type="hidden" name="price" value={id} />
        <Stack gap="md">
          <p>Nobody can choose it any more. Its subscribers keep it until they cancel.</p>
          <Button type="submit" variant="default">
            End the price
          </Button>
        </Stack>
      </Form>
    </details>
  );
}
