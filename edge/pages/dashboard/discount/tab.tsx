// The tabs of the discounts.
import { at, useAddress, useCan } from '#edge/pages/dashboard/page.ts';
import { Tabs } from '#edge/pages/design/display.tsx';

const TABS = [
  ['', 'Promotions'],
  ['try', 'Try a basket'],
  ['gift-cards', 'Gift cards'],
] as const;

export const DiscountTabs = () => {
  const [, current = ''] = useAddress().path;
  const can = useCan();
  const shown = TABS.filter(([path]) => path !== 'gift-cards' || can('payments:read'));
  return (
    <Tabs
      label="Discounts"
      tabs={shown.map(([path, label]) => ({
        label,
        to: at(path === '' ? 'discounts' : `discounts/${path}`),
        current: path === current,
      }))}
    />
  );
};
