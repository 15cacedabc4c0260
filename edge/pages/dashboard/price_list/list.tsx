// The price lists of a store, newest first.
import { at, ListTable, useCan, useFormats, useList } from '#edge/pages/dashboard/page.ts';
import { LinkButton } from '#edge/pages/design/button.tsx';
import { Empty, PageHead } from '#edge/pages/design/display.tsx';
import type { PriceListing } from '#proto/client/dashboard.ts';

/** When a list counts, in words. */
export const usePeriod = (): ((list: Pick<PriceListing, 'starts_at' | 'ends_at'>) => string) => {
  const { date } = useFormats();
  return ({ starts_at, ends_at }) =>
    [starts_at && `from ${date(starts_at)}`, ends_at && `until ${date(ends_at)}`].filter(Boolean).join(' ') || 'always';
};

export const PriceLists = () => {
  const can = useCan();
  const { number } = useFormats();
  const period = usePeriod();
  const list = useList((api, page) => api.priceLists.list(page), 'price_lists', []);
  return (
    <>
      <PageHead title="Price lists">
        {can('catalog:write') && (
          <LinkButton tone="primary" icon="add" to={at('price-lists/new')}>
            New price list
          </LinkButton>
        )}
      </PageHead>
      <ListTable
        label="Price lists"
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        to={({ id }) => at(`price-lists/${id}`)}
        columns={[
          { id: 'name', name: 'List', cell: ({ name }) => name },
          { id: 'group', name: 'For', cell: ({ customer_group: group }) => group ?? 'everybody' },
          { id: 'period', name: 'When', desk: true, cell: period },
          { id: 'currency', name: 'Currency', desk: true, cell: ({ currency }) => currency },
          { id: 'prices', name: 'Prices', number: true, cell: ({ prices }) => number(prices.length) },
        ]}
        empty={
          <Empty title="No price list yet" icon="discount">
            <p>A price list gives a group of customers, or everybody for a time, prices of their own by quantity.</p>
          </Empty>
        }
      />
    </>
  );
};
