import { afterAll, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { favorites } from "#db/schema/favorites.ts";
import { views } from "#db/schema/viewing.ts";
import { crawl } from "#tests/support/crawl.ts";
import { type FrontSite, startFrontSite } from "#tests/support/front/front-site.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { startCachingProxy } from "./support/caching-proxy.ts";
import { expectFigures } from "./support/figures.ts";

/** At full length each list has a second page. */
const ITEMS = 6;
const OWN_NAME = "Zelda Quist";
const OWN_MAIL = "zelda.quist@example.com";
/** The same for everybody. */
const SHARED = /^\/(assets\/|sitemap\.xml$|robots\.txt$|healthz$|readyz$|[\w-]+\.(ico|svg|png|webmanifest)$)/;

const { ownTexts, cookies } = await createPeople();
const sites: Site[] = [await startSite({ dataDir: config.dataDir }), await startFrontSite()];
afterAll(() => Promise.all(sites.map((site) => site.stop())));

test("a shared cache in front of the site gives nobody what a member has seen", async () => {
  const seen = { pages: 0, ownPages: 0, storable: 0, leaks: 0, hits: 0, publicHits: 0 };
  for (const site of sites) {
    const proxy = await startCachingProxy(site.origin);
    const behind = atProxy(site, proxy.origin);
    const own = await crawl(behind, cookies.own);
    seen.pages += own.answers.size;
    seen.ownPages += ownTexts.filter((text) => own.text.includes(text)).length;
    seen.storable += [...own.lifetimes].filter(
      ([path, lifetime]) => !SHARED.test(path) && !/\bno-store\b/.test(lifetime ?? ""),
    ).length;
    const addresses = [...own.answers.keys(), ...own.media];
    for (const cookie of [cookies.other, cookies.adult, ""]) {
      for (const path of addresses) {
        const answer = await behind.fetch(path, { headers: { cookie } });
        const text = await answer.text();
        if (ownTexts.some((one) => text.includes(one))) seen.leaks += 1;
        if (answer.headers.get("x-cache") !== "hit") continue;
        if (SHARED.test(path)) seen.publicHits += 1;
        else seen.hits += 1;
      }
    }
    await proxy.stop();
  }
  expectFigures({
    pages: { is: seen.pages, atLeast: 60 },
    // The member's own pages must have shown these, or the search for them would prove nothing.
    ownTexts: { is: seen.ownPages, exactly: ownTexts.length * sites.length },
    cachedForAll: { is: seen.publicHits, atLeast: 1 },
    signedInAnswersThatMayBeStored: { is: seen.storable, exactly: 0 },
    answersFromTheCache: { is: seen.hits, exactly: 0 },
    answersWithTextsOfTheMember: { is: seen.leaks, exactly: 0 },
  });
}, 900_000);

async function createPeople() {
  const creator = await createCreator({ withFiles: true });
  const media = [];
  for (let index = 0; index < ITEMS; index += 1) {
    const create = index % 2 ? createPhotoSet : createVideo;
    media.push(await create({ withFiles: true, creators: [creator.id], tags: ["Silk"] }));
  }
  const [own, other] = await Promise.all([
    createMember({ email: OWN_MAIL, fullName: OWN_NAME }),
    createMember(),
  ]);
  await subscribe(own.id);
  await db.insert(favorites).values(media.map(({ id: mediaId }) => ({ userId: own.id, mediaId })));
  await db.insert(views).values(media.map(({ id: mediaId }) => ({ userId: own.id, mediaId, progress: 5 })));
  const cookies = {
    own: await signedInCookie(own.id),
    other: await signedInCookie(other.id),
    adult: await adultCookie(),
  };
  return { ownTexts: [OWN_NAME, OWN_MAIL], cookies };
}

function atProxy(site: Site | FrontSite, origin: string): Site {
  return {
    ...site,
    origin,
    fetch: (path, init) => fetch(new URL(path, origin), { redirect: "manual", ...init }),
  };
}
