// The list of payments. Each leads to its order, where it is refunded; authorised ones are captured or voided here, too.
import { at, ChoiceFilter, FilterBar, ListTable, useFilters, useFormats, useList } from '#edge/pages/dashboard/page.ts';
import { optionsOf, StatusBadge, words } from '#edge/pages/dashboard/status.tsx';
import { Badge, Empty, PageHead } from '#edge/pages/design/display.tsx';
import type { ListedPayment } from '#proto/client/dashboard.ts';
import { AuthorizationActions } from './authorization.tsx';

const STATUSES = ['pending', 'authorized', 'succeeded', 'failed', 'expired', 'voided', 'refunded'] as const;

const REVIEWS = [
  { value: 'true', label: 'To check' },
  { value: 'false', label: 'In order' },
];

export const PaymentList = () => {
  const [query] = useFilters();
  const { money, moment } = useFormats();
  const status = STATUSES.find((each) => each === query.get('status'));
  const review = REVIEWS.find(({ value }) => value === query.get('needs_review'))?.value;
  const list = useList(
    (api, page) =>
      api.payments.list({
        ...page,
        ...(status === undefined ? {} : { status }),
        ...(review === undefined ? {} : { needs_review: review === 'true' }),
      }),
    'payments',
    [status, review],
  );
  return (
    <>
      <PageHead title="Payments" />
      <FilterBar>
        <ChoiceFilter name="status" label="Status" options={optionsOf(STATUSES)} />
        <ChoiceFilter name="needs_review" label="Check" options={REVIEWS} />
      </FilterBar>
      <ListTable
        label="Payments"
        list={list}
        idOf={({ id }) => id}
        nameOf={({ reference }) => reference}
        columns={[
          {
            id: 'reference',
            name: 'Reference',
            cell: ({ reference, order_id: order }) =>
              order === null ? (
                <span class="long">{reference}</span>
              ) : (
                <a class="long" href={at(`orders/${order}`)} title={reference}>
                  {reference}
                </a>
              ),
          },
          {
            id: 'status',
            name: 'Status',
            cell: ({ status: state, needs_review: isOpen }) => (
              <span class="row">
                <StatusBadge status={state} />
                {isOpen && <Badge tone="warn">to check</Badge>}
              </span>
            ),
          },
          { id: 'provider', name: 'Provider', desk: true, cell: ({ provider }) => words(provider) },
          { id: 'failure', name: 'Failure', desk: true, cell: ({ failure }) => failure ?? '–' },
          { id: 'created', name: 'Began', desk: true, cell: ({ created_at: created }) => moment(created) },
          ...(list.items.some(({ status: state }) => state === 'authorized')
            ? [
                {
                  id: 'authorization',
                  name: 'Authorisation',
                  cell: (payment: ListedPayment) => <AuthorizationActions payment={payment} refresh={list.refresh} />,
                },
              ]
            : []),
          { id: 'amount', name: 'Amount', number: true, cell: ({ amount, currency }) => money(amount, currency) },
        ]}
        empty={<Empty title={status || review ? 'No payment matches the filters' : 'No payments yet'} icon="figure" />}
      />
    </>
  );
};
