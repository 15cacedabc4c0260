// Curated sections of the marketplace.
import { at, ListTable, useCan, useFormats, useList } from '#edge/pages/dashboard/page.ts';
import { words } from '#edge/pages/dashboard/status.tsx';
import { LinkButton } from '#edge/pages/design/button.tsx';
import { Empty, PageHead } from '#edge/pages/design/display.tsx';
import type { Section } from '#proto/client/dashboard.ts';

export const SectionList = () => {
  const can = useCan();
  const { number } = useFormats();
  const list = useList((api, page) => api.marketplace.collections.list(page), 'collections', []);
  return (
    <>
      <PageHead title="Sections">
        {can('content:write') && (
          <LinkButton tone="primary" icon="add" to={at('sections/new')}>
            New section
          </LinkButton>
        )}
      </PageHead>
      <ListTable<Section>
        label="Sections"
        list={list}
        idOf={({ slug }) => slug}
        nameOf={({ name }) => name}
        to={({ slug }) => at(`sections/${slug}`)}
        empty={
          <Empty title="No section yet" icon="collection">
            <p>A section shows products, promotions or merchants that you pick.</p>
          </Empty>
        }
        columns={[
          { id: 'name', name: 'Section', cell: ({ name }) => name },
          { id: 'kind', name: 'Shows', cell: ({ placement_kind }) => `${words(placement_kind)}s` },
          { id: 'slug', name: 'Address', desk: true, cell: ({ slug }) => <code>{slug}</code> },
          { id: 'items', name: 'Members', number: true, cell: ({ items }) => number(items.length) },
        ]}
      />
    </>
  );
};
