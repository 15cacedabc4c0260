// The door of the marketplace: an operator's own key, whose tenant is the operator.
import type { MarketplaceRpcs, PutSectionRequest, Section } from '#proto/gen/marketplace.ts';
import { type Call, notFound, Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/door/rpc.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import type { Members } from './member.ts';
import { type KeptItem, readItems, type SectionRecord } from './section.ts';
import { deleteSection, findSection, pageOfSections, putSection } from './table/section.ts';

const LIMIT_DEFAULT = 20;
const MEMBERS_MAX = 100;

export const marketplaceHandlers = (members: Members): Handlers<MarketplaceRpcs> => {
  const shown = async (call: Call, section: SectionRecord, limit = MEMBERS_MAX): Promise<Section> => ({
    slug: section.slug,
    name: section.name,
    description: section.description,
    placement_kind: section.placement_kind,
    curated: true,
    items: await members.shown(call, section, limit),
  });

  return {
    ListSections: query(async (sql, call, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['sections', tenantKey(call.tenant)]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['slug']);
      if (cursor !== undefined && keys === null)
        return refuse('invalid_request', 'The cursor is not one of this list.', { param: 'cursor' });
      const page = await pageOfSections(sql, call.tenant, keys && String(keys[0]), limit + 1);
      const sections = page.slice(0, limit);
      const next = page.length > limit ? encodeCursor(scope, [sections.at(-1)!.slug]) : null;
      return {
        collections: await Promise.all(sections.map((section) => shown(call, section))),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    GetSection: query(async (sql, call, { slug, limit }) => {
      const section = await findSection(sql, call.tenant, slug);
      return section === null ? notFound('section') : { collection: await shown(call, section, limit) };
    }),

    PutSection: staged<PutSectionRequest, unknown, readonly KeptItem[]>({
      // The merchants' domains are asked before a connection is held.
      prepare: async (call, { placement_kind: kind, items: given }) => {
        const items = readItems(kind, given);
        return items instanceof Refusal ? items : ((await members.refuse(call, kind, items)) ?? items);
      },
      run: async (tx, call, { slug, name, description, placement_kind }, items) => {
        const now = tx.clock.now(call.tenant);
        const section: SectionRecord = {
          slug,
          name,
          description: description ?? null,
          placement_kind,
          items,
          created_at: now,
          updated_at: now,
        };
        await putSection(tx.sql, call.tenant, section);
        return { collection: await shown(call, section) };
      },
      undo: () => {},
    }) as Handlers<MarketplaceRpcs>['PutSection'],

    DeleteSection: transaction(async (tx, { tenant }, { slug }) =>
      (await deleteSection(tx.sql, tenant, slug)) ? { deleted: true, slug } : notFound('section'),
    ),
  };
};
