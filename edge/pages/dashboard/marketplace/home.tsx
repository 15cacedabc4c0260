// The first screen of a marketplace: the newest group orders, and merchants that do not sell.
import { at, useCan, useFormats, useList } from '#edge/pages/dashboard/page.ts';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { GroupOrderTable } from './group_order.tsx';
import { useMerchants } from './merchant.ts';
import { MerchantState } from './merchant_list.tsx';

const NEWEST = 10;

const Newest = () => {
  const list = useList((api) => api.cart.checkout.list({ limit: NEWEST }), 'checkouts', []);
  return (
    <>
      <h2>Newest group orders</h2>
      <GroupOrderTable list={{ ...list, more: null }} />
    </>
  );
};

const Merchants = () => {
  const { number } = useFormats();
  const { value: merchants } = useMerchants();
  const idle = merchants?.filter(({ suspended, lapsed }) => suspended || lapsed) ?? [];
  return (
    <Sheet title="Merchants">
      <p>
        <a href={at('merchants')}>Merchants</a> that sell:{' '}
        {merchants === null ? '–' : number(merchants.length - idle.length)}
      </p>
      {idle.map((merchant) => (
        <div key={merchant.store_id} class="row between">
          <span>{merchant.name}</span>
          <MerchantState merchant={merchant} />
        </div>
      ))}
    </Sheet>
  );
};

export const MarketplaceHome = () => {
  const can = useCan();
  return (
    <>
      <PageHead title="Home" />
      {can('store:read') && <Merchants />}
      {can('orders:read') && <Newest />}
    </>
  );
};
