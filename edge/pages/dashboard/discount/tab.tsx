// The tabs of the discounts.
import { at, useAddress } from '#edge/pages/dashboard/page.ts';
import { Tabs } from '#edge/pages/design/display.tsx';

const TABS = [
  ['', 'Promotions'],
  ['try', 'Try a basket'],
  ['gift-cards', 'Gift cards'],
] as const;

export const DiscountTabs = () => {
  const [, current = ''] = useAddress().path;
  return (
    <Tabs
      label="Discounts"
      tabs={TABS.map(([path, label]) => ({
        label,
        to: at(path === '' ? 'discounts' : `discounts/${path}`),
        current: path === current,
      }))}
    />
  );
};
