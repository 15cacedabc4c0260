// Handlers of lookbooks.
import { randomUUIDv7 } from 'bun';
import type { LookbookRpcs } from '#proto/gen/lookbook.ts';
import { type Call, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { refuseOutdated } from '#services/commerce/record_version.ts';
import type { StoreProfiles } from '#services/commerce/store_profile.ts';
import { languageOf } from '#services/commerce/translation.ts';
import type { AnnounceContent } from '#services/content/announcement.ts';
import {
  changedLookbook,
  type ImageRecord,
  type LookbookContext,
  type LookbookRecord,
  lookbookDetail,
  lookbookDocument,
  newLookbook,
  referencedIds,
} from '#services/content/lookbook.ts';
import { type LookUpOffers, refuseMissing } from '#services/content/offer_book.ts';
import { LIMIT_DEFAULT, pageOf, readListInput, rendered, seesEverything } from '#services/content/page.ts';
import {
  isFirstPublication,
  newSlug,
  refuseTaken,
  type TakenSlugs,
  UNPUBLISHED,
} from '#services/content/publication.ts';
import type { RevisionPoller } from '#services/content/revision_poller.ts';
import {
  deleteLookbook,
  findLookbook,
  lockLookbook,
  lookbookSlugs,
  pageOfLookbooks,
  saveLookbook,
} from '#services/content/table/lookbook.ts';
import { currentRevision } from '#services/content/table/revision.ts';
import { isSlug } from '#values/slug.ts';
import { EVERY_LANGUAGE } from '#values/translation.ts';

/** Bounds the size of one lookbook's answer. */
const HOTSPOTS_MAX = 500;

const refuseCrowd = (images: readonly ImageRecord[]): Refusal | null => {
  const hotspots = images.reduce((count, image) => count + image.hotspots.length, 0);
  if (hotspots <= HOTSPOTS_MAX) return null;
  return refuse('invalid_request', `A lookbook holds at most ${HOTSPOTS_MAX} hotspots. Remove some.`, {
    param: 'images',
  });
};

const takenIn =
  (sql: Sql, tenant: Tenant): TakenSlugs =>
  (start) =>
    lookbookSlugs(sql, tenant, start);

interface Parts {
  readonly clock: Clock;
  readonly languages: StoreProfiles<readonly string[]>;
  readonly lookUp: LookUpOffers;
  readonly poller: RevisionPoller;
  readonly announce: AnnounceContent;
}

export const lookbookHandlers = (parts: Parts): Handlers<LookbookRpcs> => {
  const { clock, lookUp, poller, announce } = parts;

  const contextFor = async (tenant: Tenant): Promise<LookbookContext> => ({
    newId: randomUUIDv7,
    languages: await parts.languages.get(tenant),
    now: clock.now(tenant),
  });

  const save = async (tx: Transaction, call: Call, before: LookbookRecord | null, lookbook: LookbookRecord) => {
    const { tenant } = call;
    const crowded = refuseCrowd(lookbook.images);
    if (crowded) return crowded;
    const book = await lookUp(call, [lookbook]);
    const gone = refuseMissing(book, lookbook, before);
    if (gone) return gone;
    await saveLookbook(tx.sql, tenant, lookbook);
    const view = { book, includesInactive: true };
    const object = lookbookDocument(lookbook, view);
    if (isFirstPublication(before ?? UNPUBLISHED, lookbook))
      await tx.emit(tenant, [{ type: 'lookbook.published', object }]);
    return lookbookDocument(lookbook, { ...view, language: EVERY_LANGUAGE });
  };

  return {
    ListLookbooks: query(async (sql, call, { limit = LIMIT_DEFAULT, language, ...asked }) => {
      const view = readListInput('lookbooks', call, asked);
      if (view instanceof Refusal) return view;
      const revision = await currentRevision(sql, call.tenant);
      poller.noteRevision(call.tenant, revision);
      const found = await pageOfLookbooks(sql, call.tenant, view.status, view.after, limit + 1);
      const { rows, pagination } = pageOf(found, limit, view);
      const book = await lookUp(call, rows);
      const shown = { book, includesInactive: seesEverything(call), language: languageOf(call, { language }) };
      const lookbooks = rows.map((row) => lookbookDocument(row, shown));
      const names = new Set(rows.flatMap((row) => [...referencedIds(row)]));
      return rendered({ lookbooks, pagination }, revision, null, names);
    }),

    GetLookbook: query(async (sql, call, { slug, ...view }) => {
      const lookbook = isSlug(slug) ? await findLookbook(sql, call.tenant, slug) : null;
      if (!lookbook) return notFound('lookbook');
      const { revision } = lookbook;
      poller.noteRevision(call.tenant, revision);
      const detail = lookbookDetail(lookbook, {
        book: await lookUp(call, [lookbook]),
        includesInactive: seesEverything(call),
        language: languageOf(call, view),
      });
      return rendered(detail, revision, lookbook.id, referencedIds(lookbook));
    }),

    CreateLookbook: transaction(async (tx, call, input) => {
      const { tenant } = call;
      const id = randomUUIDv7();
      const context = await contextFor(tenant);
      // Locks the tenant's revision first, so that of two requests for one slug the second sees the first.
      await announce(tx, tenant, id);
      const slug = await newSlug(takenIn(tx.sql, tenant), input.slug, input.title, id);
      if (slug instanceof Refusal) return slug;
      const lookbook = newLookbook(input, id, slug, context);
      if (lookbook instanceof Refusal) return lookbook;
      return save(tx, call, null, lookbook);
    }),

    UpdateLookbook: transaction(async (tx, call, { id, version, ...change }) => {
      const { tenant } = call;
      const context = await contextFor(tenant);
      await announce(tx, tenant, id.toLowerCase());
      const before = await lockLookbook(tx.sql, tenant, id);
      if (!before) return notFound('lookbook');
      const outdated = refuseOutdated('lookbook', before, version);
      if (outdated) return outdated;
      const lookbook = changedLookbook(before, change, context);
      if (lookbook instanceof Refusal) return lookbook;
      const taken = await refuseTaken(takenIn(tx.sql, tenant), lookbook.slug, lookbook.id);
      if (taken) return taken;
      return save(tx, call, before, lookbook);
    }),

    DeleteLookbook: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      await announce(tx, tenant, id);
      const gone = await deleteLookbook(tx.sql, tenant, id, clock.now(tenant));
      return gone ? { deleted: true, id } : notFound('lookbook');
    }),
  };
};
