// The list of promotions, newest first: searched by name or code, filtered by status.
import {
  at,
  ChoiceFilter,
  FilterBar,
  ListTable,
  SearchFilter,
  useCan,
  useFilters,
  useFormats,
  useList,
} from '#edge/pages/dashboard/page.ts';
import { optionsOf, words } from '#edge/pages/dashboard/status.tsx';
import { LinkButton } from '#edge/pages/design/button.tsx';
import { Badge, Empty, PageHead, type Tone } from '#edge/pages/design/display.tsx';
import type { Formats } from '#edge/pages/design/format.ts';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import type { StorePromotion } from '#proto/client/dashboard.ts';
import { DiscountTabs } from './tab.tsx';

const giftText = ({ type, value, currency, buy, get }: StorePromotion, { money, number, percent }: Formats): string => {
  if (type === 'percentage') return `${percent((value ?? 0) / 100)} off`;
  if (type === 'fixed_amount') return `${money(value ?? 0, currency)} off`;
  if (type === 'free_shipping') return 'Free delivery';
  const share = get?.discount_percent ?? 100;
  const kind = share === 100 ? 'free' : `${percent(share / 100)} off`;
  return `Buy ${number(buy?.quantity ?? 0)}, get ${number(get?.quantity ?? 0)} ${kind}`;
};

const timeText = (
  { starts_at, ends_at }: Pick<StorePromotion, 'starts_at' | 'ends_at'>,
  { moment }: Formats,
): string => {
  if (starts_at === null && ends_at === null) return 'Always';
  if (ends_at === null) return `From ${moment(starts_at!)}`;
  return starts_at === null ? `Until ${moment(ends_at)}` : `${moment(starts_at)} to ${moment(ends_at)}`;
};

const TONES: Partial<Record<StorePromotion['status'], Tone>> = { active: 'go', scheduled: 'warn', paused: 'warn' };

export const PromotionBadge = ({ status }: Pick<StorePromotion, 'status'>) => (
  <Badge tone={TONES[status] ?? 'plain'}>{words(status)}</Badge>
);

const useColumns = (): readonly TableColumn<StorePromotion>[] => {
  const formats = useFormats();
  return [
    { id: 'name', name: 'Promotion', cell: ({ name }) => name },
    { id: 'code', name: 'Code', cell: ({ code }) => code ?? <span class="soft">Automatic</span> },
    { id: 'gift', name: 'Gives', cell: (promotion) => giftText(promotion, formats), desk: true },
    { id: 'time', name: 'Time', cell: (promotion) => timeText(promotion, formats), desk: true },
    {
      id: 'used',
      name: 'Used',
      cell: ({ times_used, usage_limit }) =>
        usage_limit === null
          ? formats.number(times_used)
          : `${formats.number(times_used)} of ${formats.number(usage_limit)}`,
      number: true,
      desk: true,
    },
    { id: 'status', name: 'Status', cell: ({ status }) => <PromotionBadge status={status} /> },
  ];
};

const STATUSES: readonly StorePromotion['status'][] = ['draft', 'scheduled', 'active', 'paused', 'ended', 'expired'];

const usePromotionFilters = () => {
  const [query] = useFilters();
  const search = query.get('search');
  const status = STATUSES.find((each) => each === query.get('status'));
  return { ...(search ? { search } : {}), ...(status ? { status } : {}) };
};

export const PromotionList = () => {
  const can = useCan();
  const filters = usePromotionFilters();
  const list = useList((api, page) => api.promotions.list({ ...page, ...filters }), 'promotions', [
    JSON.stringify(filters),
  ]);
  const columns = useColumns();
  return (
    <>
      <PageHead title="Discounts">
        {can('promotions:write') && (
          <LinkButton tone="primary" icon="add" to={at('discounts/new')}>
            New promotion
          </LinkButton>
        )}
      </PageHead>
      <DiscountTabs />
      <FilterBar>
        <SearchFilter name="search" label="Search" placeholder="Name or code" />
        <ChoiceFilter name="status" label="Status" options={optionsOf(STATUSES)} />
      </FilterBar>
      <ListTable
        label="Promotions"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        to={({ id }) => at(`discounts/${id}`)}
        empty={
          <Empty title="No promotion" icon="discount">
            <p>A promotion lowers the price of a basket: by a code, or for everybody.</p>
          </Empty>
        }
      />
    </>
  );
};
