import { countSignIns } from "#app/domain/auth/sign-in-totals.server.ts";
import {
  countMoney,
  countSubscriptions,
} from "#app/domain/billing/subscriptions/subscription-totals.server.ts";
import { countStorage } from "#app/domain/catalog/media/storage-totals.server.ts";
import { closeDay, lockTotals, type SiteClock, startOfDay } from "#app/domain/totals/daily-totals.server.ts";
import { countViewing } from "#app/domain/viewing/media-totals.server.ts";
import { db } from "#db/client.server.ts";

/**
 * Counts what happened before the site's present day; running it again adds nothing. A row with a date counts
 * on that day, however late it arrives; counters without a date count on the last open day.
 */
export async function writeDailyTotals(clock: SiteClock): Promise<void> {
  await db.transaction(async (tx) => {
    await lockTotals(tx);
    const part = { ...clock, before: startOfDay(clock) };
    await countSignIns(tx, part);
    await countSubscriptions(tx, part);
    await countMoney(tx, part);
    const day = await closeDay(tx, clock);
    if (day === null) return;
    await countViewing(tx, day);
    await countStorage(tx, day);
  });
}
