// The rpc handlers of the marketplace, for an operator's key. The tenant is the operator.
import type { MarketplaceRpcs, PutSectionRequest, Section, SectionItem } from '#proto/gen/marketplace.ts';
import { type Call, foreignCursor, notFound, Refusal, Rendered, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import type { Members, VisibleMembers } from './member.ts';
import { itemKey, parseItems, type SectionRecord, type StoredItem } from './section.ts';
import { shopperHandlers } from './shopper.ts';
import { deleteSection, findSection, listSections, lockSection, putSection } from './table/section.ts';

const LIMIT_DEFAULT = 20;
const MEMBERS_MAX = 100;

const encoder = new TextEncoder();

const sectionDocument = (section: SectionRecord, { items }: VisibleMembers): Section => ({
  slug: section.slug,
  name: section.name,
  description: section.description,
  placement_kind: section.placement_kind,
  curated: true,
  items,
  updated_at: section.updated_at.toISOString(),
});

const hiddenItems = (section: SectionRecord, { items }: VisibleMembers): SectionItem[] => {
  const shown = new Set(items.map(itemKey));
  return section.items.filter((item) => !shown.has(itemKey(item)));
};

export const marketplaceHandlers = (
  { notices, postgres }: Pick<Runtime, 'notices' | 'postgres'>,
  domainClient: DomainClient,
  members: Members,
): Handlers<MarketplaceRpcs> => {
  const withMembers = async (call: Call, section: SectionRecord): Promise<Section> =>
    sectionDocument(section, await members.visible(call, section, MEMBERS_MAX));

  const announce = (tx: Transaction, tenant: Tenant): void =>
    tx.afterCommit(() => notices.publish({ kind: 'sections', tenant }));

  return {
    ...shopperHandlers(domainClient),

    ListSections: query(async (sql, call, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['sections', tenantKey(call.tenant)]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['slug']);
      if (cursor !== undefined && keys === null) return foreignCursor(cursor);
      const page = await listSections(sql, call.tenant, keys && String(keys[0]), limit + 1);
      const sections = page.slice(0, limit);
      const next = page.length > limit ? encodeCursor(scope, [sections.at(-1)!.slug]) : null;
      return {
        collections: await Promise.all(sections.map((section) => withMembers(call, section))),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    GetSection: query(async (sql, call, { slug, limit = MEMBERS_MAX, hidden = false }) => {
      const section = await findSection(sql, call.tenant, slug);
      if (section === null) return notFound('section');
      const there = await members.visible(call, section, hidden ? MEMBERS_MAX : limit);
      const collection = sectionDocument(section, there);
      if (hidden) collection.hidden_items = hiddenItems(section, there);
      const body = encoder.encode(
        JSON.stringify({ collection: { ...collection, items: there.items.slice(0, limit) } }),
      );
      const { freshMs, dependsOn } = there;
      return freshMs <= 0 ? new Rendered(body) : new Rendered(body, dependsOn, freshMs);
    }),

    PutSection: staged<PutSectionRequest, unknown, readonly StoredItem[]>({
      // Checks the items before the transaction, so that no connection is held while other domains answer.
      prepare: async (call, { slug, placement_kind: kind, items: given }) => {
        const items = parseItems(kind, given);
        if (items instanceof Refusal) return items;
        const before = (await findSection(postgres.sql, call.tenant, slug))?.items ?? [];
        return (await members.findMissing(call, kind, items, before)) ?? items;
      },
      run: async (tx, call, { slug, name, description, placement_kind, version }, items) => {
        const before = await lockSection(tx.sql, call.tenant, slug);
        if (before === null && version !== undefined) return notFound('section');
        const outdated = before && refuseOutdated('section', before, version);
        if (outdated) return outdated;
        const now = tx.clock.now(call.tenant);
        const section: SectionRecord = {
          slug,
          name,
          description: description ?? null,
          placement_kind,
          items,
          created_at: now,
          updated_at: changeTime(before, now),
        };
        await putSection(tx.sql, call.tenant, section);
        announce(tx, call.tenant);
        return { collection: await withMembers(call, section) };
      },
      undo: () => {},
    }) as Handlers<MarketplaceRpcs>['PutSection'],

    DeleteSection: transaction(async (tx, { tenant }, { slug }) => {
      if (!(await deleteSection(tx.sql, tenant, slug))) return notFound('section');
      announce(tx, tenant);
      return { deleted: true, id: slug, slug };
    }),
  };
};
