// Finds products, promotions or merchants for a section.
import { useState } from 'preact/hooks';
import { ProblemNote, SearchFilter, useFilters, useRecord } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { SelectField } from '#edge/pages/design/field.tsx';
import type { MarketplaceMerchant } from '#proto/client/dashboard.ts';
import { type FoundMember, findMembers, memberKey, type SectionKind } from './section_member.ts';

interface FinderProps {
  readonly kind: SectionKind;
  /** Merchants that sell; there is at least one. */
  readonly merchants: readonly MarketplaceMerchant[];
  readonly chosen: ReadonlySet<string>;
  readonly add: (found: FoundMember) => void;
}

export const MemberFinder = ({ kind, merchants, chosen, add }: FinderProps) => {
  const [query] = useFilters();
  const [store, setStore] = useState(merchants[0]!.store_id);
  const search = query.get('member') ?? '';
  const { value, problem } = useRecord(
    async (api) =>
      kind === 'merchant'
        ? merchants.map(({ store_id, name }) => ({ member: { store: store_id, id: null }, name }))
        : findMembers(api, kind, store, search),
    [kind, store, search],
  );
  return (
    <>
      {kind !== 'merchant' && (
        <div class="columns">
          <SelectField
            label="Merchant"
            value={store}
            change={setStore}
            options={merchants.map(({ store_id, name }) => ({ value: store_id, label: name }))}
          />
          <SearchFilter
            name="member"
            label={`Add a ${kind}`}
            placeholder={kind === 'product' ? 'Name or SKU' : 'Name'}
          />
        </div>
      )}
      <ProblemNote problem={problem} />
      {value?.map((found) => (
        <div key={memberKey(found.member)} class="row between">
          <span>{found.name}</span>
          <Button icon="add" disabled={chosen.has(memberKey(found.member))} press={() => add(found)}>
            Add<span class="unseen"> {found.name}</span>
          </Button>
        </div>
      ))}
      {value?.length === 0 && search !== '' && <p class="soft">Nothing matches “{search}”.</p>}
    </>
  );
};
