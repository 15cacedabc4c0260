// Posts, lookbooks and policies: a tab for each, with its filter in the address.
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
  useStatus,
} from '#edge/pages/dashboard/page.ts';
import { optionsOf } from '#edge/pages/dashboard/status.tsx';
import { LinkButton } from '#edge/pages/design/button.tsx';
import { Empty, PageHead, Tabs } from '#edge/pages/design/display.tsx';
import type { BlogPost, StoreLookbook } from '#proto/client/dashboard.ts';
import { PolicyList } from './policy_list.tsx';
import { ContentBadge } from './publication.tsx';

const POST_STATUSES = ['published', 'scheduled', 'draft'] as const;
const LOOKBOOK_STATUSES = ['published', 'draft'] as const;

const Posts = () => {
  const { moment } = useFormats();
  const [query] = useFilters();
  const tag = query.get('tag') ?? '';
  const filter = { ...useStatus(POST_STATUSES), ...(tag === '' ? {} : { tag }) };
  const list = useList((api, page) => api.blog.posts.list({ ...page, ...filter }), 'posts', [filter.status, tag]);
  return (
    <>
      <FilterBar>
        <SearchFilter name="tag" label="Tag" placeholder="craft" />
        <ChoiceFilter name="status" label="Status" options={optionsOf(POST_STATUSES)} />
      </FilterBar>
      <ListTable<BlogPost>
        label="Posts"
        list={list}
        idOf={({ id }) => id}
        to={({ slug }) => at(`content/posts/${slug}`)}
        empty={
          <Empty title="No post matches" icon="content">
            <p>Posts tell the stories behind your products.</p>
          </Empty>
        }
        columns={[
          { id: 'title', name: 'Title', cell: ({ title }) => title },
          { id: 'author', name: 'Author', cell: ({ author }) => author, desk: true },
          { id: 'status', name: 'Status', cell: ({ status }) => <ContentBadge status={status} /> },
          {
            id: 'at',
            name: 'Published',
            cell: ({ published_at }) => (published_at === null ? '–' : moment(published_at)),
            desk: true,
          },
        ]}
      />
    </>
  );
};

const Lookbooks = () => {
  const { moment, number } = useFormats();
  const filter = useStatus(LOOKBOOK_STATUSES);
  const list = useList((api, page) => api.lookbooks.list({ ...page, ...filter }), 'lookbooks', [filter.status]);
  return (
    <>
      <FilterBar>
        <ChoiceFilter name="status" label="Status" options={optionsOf(LOOKBOOK_STATUSES)} />
      </FilterBar>
      <ListTable<StoreLookbook>
        label="Lookbooks"
        list={list}
        idOf={({ id }) => id}
        to={({ id }) => at(`content/lookbooks/${id}`)}
        empty={
          <Empty title="No lookbook matches" icon="picture">
            <p>A lookbook shows pictures whose parts lead to your products.</p>
          </Empty>
        }
        columns={[
          { id: 'title', name: 'Title', cell: ({ title }) => title },
          { id: 'pictures', name: 'Pictures', number: true, cell: ({ images }) => number(images.length), desk: true },
          { id: 'status', name: 'Status', cell: ({ status }) => <ContentBadge status={status} /> },
          {
            id: 'at',
            name: 'Published',
            cell: ({ published_at }) => (published_at === null ? '–' : moment(published_at)),
            desk: true,
          },
        ]}
      />
    </>
  );
};

const KINDS = [
  { kind: 'posts', label: 'Posts', scope: 'content:read', make: 'New post', List: Posts },
  { kind: 'lookbooks', label: 'Lookbooks', scope: 'content:read', make: 'New lookbook', List: Lookbooks },
  { kind: 'policies', label: 'Policies', scope: 'store:read', make: null, List: PolicyList },
] as const;

export const ContentList = () => {
  const [query] = useFilters();
  const can = useCan();
  const kinds = KINDS.filter(({ scope }) => can(scope));
  const { kind: current, make, List } = kinds.find(({ kind }) => kind === query.get('kind')) ?? KINDS[0];
  return (
    <>
      <PageHead title="Content">
        {make && can('content:write') && (
          <LinkButton tone="primary" icon="add" to={at(`content/${current}/new`)}>
            {make}
          </LinkButton>
        )}
      </PageHead>
      <Tabs
        label="Kinds of content"
        tabs={kinds.map(({ kind, label }) => ({ label, to: at('content', { kind }), current: kind === current }))}
      />
      <List key={current} />
    </>
  );
};
