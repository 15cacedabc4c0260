// The inbox: a tab for each kind of request, with its filter in the address.
import {
  at,
  ChoiceFilter,
  FilterBar,
  ListTable,
  useCan,
  useFilters,
  useFormats,
  useList,
  useStatus,
} from '#edge/pages/dashboard/page.ts';
import { optionsOf, StatusBadge, words } from '#edge/pages/dashboard/status.tsx';
import { Badge, Empty, PageHead, Tabs } from '#edge/pages/design/display.tsx';
import type { OrderDispute, OrderReturn, ProductReview, Thread } from '#proto/client/dashboard.ts';

const RETURN_STATUSES = ['requested', 'approved', 'received', 'refunded', 'credited', 'rejected', 'cancelled'] as const;
const DISPUTE_STATUSES = ['open', 'under_review', 'resolved', 'rejected', 'cancelled'] as const;
const REVIEW_STATUSES = ['pending', 'approved', 'rejected'] as const;
const THREAD_STATUSES = ['open', 'closed'] as const;

const Nothing = ({ kind }: { readonly kind: string }) => (
  <Empty title={`No ${kind} match`} icon="service">
    <p>Change the filter to see others.</p>
  </Empty>
);

const Returns = () => {
  const { moment } = useFormats();
  const filter = useStatus(RETURN_STATUSES);
  const list = useList((api, page) => api.returns.list({ ...page, ...filter }), 'data', ['returns', filter.status]);
  return (
    <>
      <FilterBar>
        <ChoiceFilter name="status" label="Status" options={optionsOf(RETURN_STATUSES)} />
      </FilterBar>
      <ListTable<OrderReturn>
        label="Returns"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`service/returns/${id}`)}
        empty={<Nothing kind="returns" />}
        columns={[
          { id: 'reason', name: 'Reason', cell: ({ reason_code }) => words(reason_code) },
          { id: 'wish', name: 'Wanted', cell: ({ resolution }) => words(resolution), desk: true },
          { id: 'status', name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { id: 'at', name: 'Requested', cell: ({ created_at }) => moment(created_at), desk: true },
        ]}
      />
    </>
  );
};

const Disputes = () => {
  const { moment } = useFormats();
  const filter = useStatus(DISPUTE_STATUSES);
  const list = useList((api, page) => api.disputes.list({ ...page, ...filter }), 'data', ['disputes', filter.status]);
  return (
    <>
      <FilterBar>
        <ChoiceFilter name="status" label="Status" options={optionsOf(DISPUTE_STATUSES)} />
      </FilterBar>
      <ListTable<OrderDispute>
        label="Disputes"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`service/disputes/${id}`)}
        empty={<Nothing kind="disputes" />}
        columns={[
          { id: 'reason', name: 'Reason', cell: ({ reason_code }) => words(reason_code) },
          { id: 'text', name: 'Description', cell: ({ description }) => description.slice(0, 80), desk: true },
          { id: 'status', name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { id: 'at', name: 'Opened', cell: ({ created_at }) => moment(created_at), desk: true },
        ]}
      />
    </>
  );
};

const Reviews = () => {
  const { moment } = useFormats();
  const filter = useStatus(REVIEW_STATUSES);
  const list = useList((api, page) => api.reviews.list({ ...page, ...filter }), 'reviews', ['reviews', filter.status]);
  return (
    <>
      <FilterBar>
        <ChoiceFilter name="status" label="Status" options={optionsOf(REVIEW_STATUSES)} />
      </FilterBar>
      <ListTable<ProductReview>
        label="Reviews"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`service/reviews/${id}`)}
        empty={<Nothing kind="reviews" />}
        columns={[
          { id: 'title', name: 'Review', cell: ({ title }) => title },
          { id: 'rating', name: 'Rating', cell: ({ rating }) => `${rating} of 5`, number: true },
          { id: 'who', name: 'Customer', cell: ({ customer_name }) => customer_name, desk: true },
          { id: 'status', name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { id: 'at', name: 'Written', cell: ({ created_at }) => moment(created_at), desk: true },
        ]}
      />
    </>
  );
};

const UNREAD = [{ value: 'true', label: 'Unread' }];

const Messages = () => {
  const { moment, number } = useFormats();
  const [query] = useFilters();
  const filter = useStatus(THREAD_STATUSES);
  const unread = query.get('unread') === 'true' ? { unread: true } : {};
  const list = useList((api, page) => api.messaging.threads.list({ ...page, ...filter, ...unread }), 'threads', [
    'messages',
    filter.status,
    unread.unread,
  ]);
  return (
    <>
      <FilterBar>
        <ChoiceFilter name="status" label="Status" options={optionsOf(THREAD_STATUSES)} />
        <ChoiceFilter name="unread" label="Read" options={UNREAD} />
      </FilterBar>
      <ListTable<Thread>
        label="Messages"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`service/messages/${id}`)}
        empty={<Nothing kind="messages" />}
        columns={[
          { id: 'subject', name: 'Subject', cell: ({ subject }) => subject },
          {
            id: 'unread',
            name: 'Unread',
            number: true,
            cell: ({ unread_count }) => (unread_count > 0 ? <Badge tone="warn">{number(unread_count)}</Badge> : ''),
          },
          { id: 'status', name: 'Status', cell: ({ status }) => <StatusBadge status={status} />, desk: true },
          { id: 'at', name: 'Last message', cell: ({ last_message_at }) => moment(last_message_at), desk: true },
        ]}
      />
    </>
  );
};

const KINDS = [
  { kind: 'returns', label: 'Returns', scope: 'returns:read', List: Returns },
  { kind: 'disputes', label: 'Disputes', scope: 'returns:read', List: Disputes },
  { kind: 'reviews', label: 'Reviews', scope: 'reviews:read', List: Reviews },
  { kind: 'messages', label: 'Messages', scope: 'messaging:read', List: Messages },
] as const;

export const Inbox = () => {
  const [query] = useFilters();
  const can = useCan();
  const kinds = KINDS.filter(({ scope }) => can(scope));
  const shown = kinds.find(({ kind }) => kind === query.get('kind')) ?? kinds[0];
  if (!shown) return <Empty title="Your role opens no part of the inbox" icon="service" />;
  const { List } = shown;
  return (
    <>
      <PageHead title="Service" />
      <Tabs
        label="Kinds of requests"
        tabs={kinds.map(({ kind, label }) => ({ label, to: at('service', { kind }), current: kind === shown.kind }))}
      />
      <List key={shown.kind} />
    </>
  );
};
