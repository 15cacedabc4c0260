// The store's policies: one row for each kind, published or not.
import { at, ProblemNote, useFormats, useRecord } from '#edge/pages/dashboard/page.ts';
import { Sheet, Skeleton } from '#edge/pages/design/display.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import type { Policy } from '#proto/client/dashboard.ts';
import { POLICY_NAMES, POLICY_TYPES, type PolicyKind } from './policy_name.ts';
import { ContentBadge } from './publication.tsx';

interface PolicyRow {
  readonly type: PolicyKind;
  readonly published: Policy | null;
}

export const PolicyList = () => {
  const { moment } = useFormats();
  const { value, problem, refresh } = useRecord(async (api): Promise<readonly PolicyRow[]> => {
    const { policies } = await api.store.policies.list();
    return POLICY_TYPES.map((type) => ({ type, published: policies.find((each) => each.type === type) ?? null }));
  }, []);
  if (problem) return <ProblemNote problem={problem} again={refresh} />;
  if (!value) return <Skeleton lines={5} />;
  return (
    <Sheet flush>
      <Table<PolicyRow>
        label="Policies"
        rows={value}
        idOf={({ type }) => type}
        to={({ type }) => at(`content/policies/${type}`)}
        columns={[
          { id: 'name', name: 'Policy', cell: ({ type }) => POLICY_NAMES[type] },
          { id: 'title', name: 'Title', cell: ({ published }) => published?.title, desk: true },
          { id: 'version', name: 'Version', number: true, cell: ({ published }) => published?.version ?? '–' },
          {
            id: 'status',
            name: 'Status',
            cell: ({ published }) => <ContentBadge status={published ? 'published' : 'not_published'} />,
          },
          {
            id: 'at',
            name: 'Published',
            cell: ({ published }) => (published?.published_at ? moment(published.published_at) : '–'),
            desk: true,
          },
        ]}
      />
    </Sheet>
  );
};
