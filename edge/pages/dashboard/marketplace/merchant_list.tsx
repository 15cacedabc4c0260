// The merchants of the marketplace: suspended, and back.
import { useState } from 'preact/hooks';
import { ListTable, ProblemNote, useCan, useDashboard, useList, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, Empty, Note, PageHead } from '#edge/pages/design/display.tsx';
import type { MarketplaceMerchant } from '#proto/client/dashboard.ts';

export const MerchantState = ({ merchant: { suspended, lapsed } }: { readonly merchant: MarketplaceMerchant }) => {
  if (suspended) return <Badge tone="no">Suspended</Badge>;
  return lapsed ? <Badge tone="warn">Lapsed</Badge> : <Badge tone="go">Selling</Badge>;
};

export const MerchantList = () => {
  const can = useCan();
  const { environment } = useDashboard();
  const list = useList((api, page) => api.marketplace.merchants.list(page), 'merchants', []);
  const [asked, setAsked] = useState<MarketplaceMerchant | null>(null);
  const write = useWrite();
  const mayChange = can('store:write') && environment === 'production';
  const set = async ({ store_id, name }: MarketplaceMerchant, suspended: boolean): Promise<void> => {
    const done = await write.run((api) => api.marketplace.merchants.update({ store_id, suspended }), {
      done: suspended ? `${name} is suspended.` : `${name} sells again.`,
      undo: async (api) => {
        await api.marketplace.merchants.update({ store_id, suspended: !suspended });
        list.refresh();
      },
    });
    if (!done) return;
    setAsked(null);
    list.refresh();
  };
  return (
    <>
      <PageHead title="Merchants" />
      {environment === 'sandbox' && can('store:write') && (
        <Note>Both environments share the merchants. Suspend one in production.</Note>
      )}
      <ProblemNote problem={asked ? null : write.problem} />
      <ListTable<MarketplaceMerchant>
        label="Merchants"
        list={list}
        idOf={({ store_id }) => store_id}
        nameOf={({ name }) => name}
        empty={
          <Empty title="No merchant yet" icon="marketplace">
            <p>An operator of the system adds stores: stoa operator add-store.</p>
          </Empty>
        }
        columns={[
          {
            id: 'name',
            name: 'Merchant',
            cell: ({ name, code }) => (
              <>
                {name}
                <div class="soft">{code}</div>
              </>
            ),
          },
          { id: 'state', name: 'State', cell: (merchant) => <MerchantState merchant={merchant} /> },
          { id: 'country', name: 'Country', desk: true, cell: ({ country }) => country ?? '–' },
          { id: 'currency', name: 'Currency', desk: true, cell: ({ currency }) => currency },
          {
            id: 'website',
            name: 'Website',
            desk: true,
            cell: ({ website_url: url }) => (url ? <a href={url}>{URL.parse(url)?.host ?? url}</a> : '–'),
          },
          ...(mayChange
            ? [
                {
                  id: 'action',
                  name: 'Actions',
                  cell: (merchant: MarketplaceMerchant) =>
                    merchant.suspended ? (
                      <Button busy={write.busy} press={() => void set(merchant, false)}>
                        Resume<span class="unseen"> {merchant.name}</span>
                      </Button>
                    ) : (
                      <Button press={() => setAsked(merchant)}>
                        Suspend<span class="unseen"> {merchant.name}</span>
                      </Button>
                    ),
                },
              ]
            : []),
        ]}
      />
      {asked && (
        <Confirm
          title={`Suspend ${asked.name}?`}
          action="Suspend"
          busy={write.busy}
          confirm={() => void set(asked, true)}
          close={() => {
            write.clear();
            setAsked(null);
          }}
        >
          <p>
            The marketplace sells nothing of it until you resume it. Orders that were placed are paid, sent and
            refunded. The store itself sells on.
          </p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};
