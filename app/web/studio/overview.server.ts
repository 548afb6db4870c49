import { config } from "#app/config.server.ts";
import { count } from "#app/counts.ts";
import { formatShortZoneTime, toZoneTime } from "#app/dates.ts";
import { ALARM_ANCHORS, type Alarm } from "#app/domain/alarms/alarm-kinds.ts";
import { alarmText } from "#app/domain/alarms/alarm-texts.server.ts";
import { listAlarms } from "#app/domain/alarms/check-alarms.server.ts";
import { countProblems } from "#app/domain/catalog/edit/problems/problems.server.ts";
import { ITEMS_WITH, PROBLEMS } from "#app/domain/catalog/edit/problems/problems.ts";
import {
  type KnownRelease,
  listOverdue,
  listPlanned,
  type PlannedDay,
} from "#app/domain/catalog/edit/releases/due-releases.server.ts";
import { parseStudioFilters } from "#app/domain/catalog/edit/studio-list/studio-filters.ts";
import { countDrafts, listStudioMedia } from "#app/domain/catalog/edit/studio-list/studio-list.server.ts";
import { readOriginalTotals } from "#app/domain/catalog/originals/originals.server.ts";
import { readDiskSpace } from "#app/domain/health/disk.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { countRefused } from "#app/domain/uploads/own-batches.server.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { quoted } from "#app/texts.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { findFirstSteps } from "./first-steps.server.ts";
import { SOLVED_AT } from "./item-frame.server.ts";

interface Line {
  to: string;
  title: string;
  about?: string;
}

const SHOWN = 6;
const DUE_SHOWN = 20;

export async function findOverview(actor: Actor) {
  const [items, machine, firstSteps] = await Promise.all([
    mayDo(actor, "media.edit") ? itemsOf(actor) : null,
    mayDo(actor, "site") ? machineOf() : null,
    mayDo(actor, "site") ? findFirstSteps() : [],
  ]);
  return {
    firstSteps,
    waiting: [...(items?.lines ?? []), ...(machine?.lines ?? [])],
    planned: items?.planned ?? null,
    published: items?.published ?? null,
    disk: machine?.disk ?? null,
  };
}

async function itemsOf({ id }: Actor) {
  const { timeZone } = siteFacts;
  const newest = parseStudioFilters(new URLSearchParams({ state: "published", sort: "publishAt" }));
  const [problems, due, planned, { items }, drafts, refused] = await Promise.all([
    countProblems(),
    listOverdue(DUE_SHOWN),
    listPlanned(timeZone),
    listStudioMedia(newest),
    countDrafts(),
    id === null ? 0 : countRefused(id),
  ]);
  return {
    lines: [
      ...due.map((release) => dueLine(release, timeZone)),
      ...(refused === 0 ? [] : [refusedLine(refused)]),
      ...(drafts === 0 ? [] : [draftsLine(drafts)]),
      ...problemLines(problems),
    ],
    planned: planned.some(({ releases }) => releases.length > 0)
      ? planned.map((day) => calendarDay(day, timeZone))
      : [],
    published: items.slice(0, SHOWN).map(({ id, title, publishAt }) => ({
      to: paths.studioItem(id),
      title,
      at: publishAt === null ? "" : formatShortZoneTime(publishAt, timeZone),
    })),
  };
}

function dueLine({ id, title, publishAt }: KnownRelease, zone: string): Line {
  return {
    to: paths.studioItem(id),
    title: `${quoted(title)} has been due since ${formatShortZoneTime(publishAt, zone)}`,
    about: "It will be published within a minute. If it is still here after that, the worker is not running.",
  };
}

function refusedLine(files: number): Line {
  const about = "Not imported. The upload page says why.";
  return { to: paths.studioUpload(), title: `${count(files, "uploaded file")} refused`, about };
}

function draftsLine(drafts: number): Line {
  return {
    to: paths.studioMedia({ state: "draft" }),
    title: count(drafts, "draft"),
    about: "Not published yet.",
  };
}

function problemLines(problems: Awaited<ReturnType<typeof countProblems>>): Line[] {
  return PROBLEMS.flatMap((problem): Line[] => {
    const { items, only } = problems[problem];
    if (items === 0) return [];
    return only === null
      ? [{ to: paths.studioMedia({ problem }), title: `${items} items ${ITEMS_WITH[problem]}` }]
      : [{ to: SOLVED_AT[problem](only), title: `One item ${ITEMS_WITH[problem]}` }];
  });
}

function calendarDay({ day, releases, hasMore }: PlannedDay, zone: string) {
  return {
    day,
    label: WEEKDAY.format(new Date(day)),
    releases: releases.map(({ id, title, publishAt }) => ({
      to: paths.studioItem(id),
      title,
      time: toZoneTime(publishAt, zone).slice(11),
    })),
    more: hasMore ? paths.studioMedia({ state: "scheduled", sort: "publishAt", direction: "asc" }) : null,
  };
}

const WEEKDAY = new Intl.DateTimeFormat("en-GB", {
  ...{ weekday: "short", day: "numeric", month: "short", timeZone: "UTC" },
});

async function machineOf() {
  const [alarms, disk, originals] = await Promise.all([
    listAlarms(),
    readDiskSpace(config.dataDir).catch(() => null),
    readOriginalTotals(),
  ]);
  return {
    disk: disk && {
      ...disk,
      text: `${sizeText(disk.freeBytes)} of ${sizeText(disk.totalBytes)} is free`,
      originals: originals.files === 0 ? null : `Originals take ${sizeText(originals.bytes)}.`,
    },
    lines: alarms.map(alarmLine),
  };
}

function alarmLine(alarm: Alarm): Line {
  const { title, meaning } = alarmText(alarm);
  const since = formatShortZoneTime(alarm.since, siteFacts.timeZone);
  return { to: ALARM_ANCHORS[alarm.kind], title, about: `${meaning} Since ${since}.` };
}
