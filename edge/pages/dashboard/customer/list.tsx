// The list of customers, searched by e-mail address and name, and filtered by group.
import {
  at,
  FilterBar,
  ListTable,
  SearchFilter,
  useCan,
  useFilters,
  useFormats,
  useList,
} from '#edge/pages/dashboard/page.ts';
import { LinkButton } from '#edge/pages/design/button.tsx';
import { Badge, EmailText, Empty, PageHead } from '#edge/pages/design/display.tsx';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import type { Customer } from '#proto/client/dashboard.ts';

export const fullName = ({ first_name, last_name }: Customer): string =>
  [first_name, last_name].filter(Boolean).join(' ');

const useCustomerFilters = () => {
  const [query] = useFilters();
  const search = query.get('search');
  const group = query.get('group');
  return { ...(search ? { search } : {}), ...(group ? { group } : {}) };
};

export const CustomerList = () => {
  const filters = useCustomerFilters();
  const can = useCan();
  const { date } = useFormats();
  const list = useList((api, page) => api.customers.list({ ...page, ...filters }), 'customers', [
    JSON.stringify(filters),
  ]);
  const columns: readonly TableColumn<Customer>[] = [
    { id: 'email', name: 'E-mail', cell: ({ email }) => <EmailText email={email} /> },
    { id: 'name', name: 'Name', cell: (customer) => fullName(customer) || '–' },
    { id: 'group', name: 'Group', cell: ({ group }) => group && <Badge>{group}</Badge>, desk: true },
    { id: 'phone', name: 'Phone', cell: ({ phone }) => phone ?? '–', desk: true },
    { id: 'since', name: 'Since', cell: ({ created_at }) => date(created_at), desk: true },
  ];
  return (
    <>
      <PageHead title="Customers">
        {can('customers:write') && (
          <LinkButton tone="primary" icon="add" to={at('customers/new')}>
            New customer
          </LinkButton>
        )}
      </PageHead>
      <FilterBar>
        <SearchFilter name="search" label="Search" placeholder="E-mail or name" />
        <SearchFilter name="group" label="Group" placeholder="The whole name of a group" />
      </FilterBar>
      <ListTable
        label="Customers"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        to={({ id }) => at(`customers/${id}`)}
        empty={
          <Empty title="No customer matches" icon="customer">
            <p>People appear here once they have an account. Orders of guests are found among the orders.</p>
          </Empty>
        }
      />
    </>
  );
};
