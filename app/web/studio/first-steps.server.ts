import { config } from "#app/config.server.ts";
import { listPlans } from "#app/domain/billing/offers/plans.server.ts";
import { parseStudioFilters } from "#app/domain/catalog/edit/studio-list/studio-filters.ts";
import { hasPaidItems, listStudioMedia } from "#app/domain/catalog/edit/studio-list/studio-list.server.ts";
import { site } from "#app/domain/site/site.server.ts";
import { paths } from "#app/paths.ts";
import { hasCustodian, readHostPage } from "../pages/site-page.server.ts";

/** What a new site still needs. The demo comes with everything it can have. */
export async function findFirstSteps() {
  if (config.isDemo) return [];
  const [plans, { items }, isPaid, recordsFile, aboutFile] = await Promise.all([
    listPlans(),
    listStudioMedia(parseStudioFilters(new URLSearchParams())),
    hasPaidItems(),
    readHostPage("records"),
    readHostPage("about"),
  ]);
  const steps = [
    {
      isDone: config.setByHost.siteName || site.values.siteName !== "",
      to: paths.studioSettings("name"),
      title: "Name your site",
      about: `Visitors see the name in the header, in titles and in emails. It is ${site.name} until you choose one.`,
    },
    {
      isDone: config.setByHost.timeZone || site.values.timeZone !== "",
      to: paths.studioSettings("time"),
      title: "Choose your time zone",
      about: `You plan releases in ${site.timeZone} until you choose one.`,
    },
    {
      isDone: site.contactEmail !== "",
      to: paths.studioSettings("contact"),
      title: "Set a contact address",
      about: "Visitors cannot write to you yet. Your own address stays private.",
    },
    {
      isDone: recordsFile !== null || hasCustodian(),
      to: paths.studioSettings("custodian"),
      title: "Name the custodian of records",
      about: "The 2257 page does not name one yet.",
    },
    {
      isDone: aboutFile !== null || site.values.about !== "",
      to: paths.studioSettings("about"),
      title: "Write your About page",
      about:
        "Until then, it is an example. The Terms, Privacy and 2257 pages are published in your name too, so read them first.",
    },
    {
      isDone: plans.length > 0 || (items.length > 0 && !isPaid),
      to: "#first-plans",
      title: "Offer a plan",
      about: "Nobody can subscribe yet.",
    },
    {
      isDone: config.backup.dir !== null || config.backup.isOff,
      to: "#first-backup",
      title: "Turn on nightly backups",
      about: "Nothing is backed up yet.",
    },
    {
      isDone: items.length > 0,
      to: paths.studioUpload(),
      title: "Upload your first item",
      about: "It starts as a draft that only staff can see.",
    },
  ];
  return steps.filter(({ isDone }) => !isDone).map(({ isDone: _, ...line }) => line);
}
