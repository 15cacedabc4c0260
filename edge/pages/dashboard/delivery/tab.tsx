// The tabs of delivery.
import { at, useAddress } from '#edge/pages/dashboard/page.ts';
import { Tabs } from '#edge/pages/design/display.tsx';

const TABS = [
  ['', 'Rates'],
  ['try', 'Try an address'],
  ['carriers', 'Carriers'],
] as const;

export const DeliveryTabs = () => {
  const [, current = ''] = useAddress().path;
  return (
    <Tabs
      label="Delivery"
      tabs={TABS.map(([path, label]) => ({
        label,
        to: at(path === '' ? 'delivery' : `delivery/${path}`),
        current: path === current,
      }))}
    />
  );
};
