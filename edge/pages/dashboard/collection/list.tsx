// The collections of the shop, put in order by dragging.
import { at, ProblemNote, useCan, useRecord, useWrite, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { LinkButton } from '#edge/pages/design/button.tsx';
import { Badge, Empty, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import type { ProductCollection, ServerApi } from '#proto/client/dashboard.ts';

/** Collections are few: all of them are read, since an order needs all of its items. */
const readAll = async (api: ServerApi): Promise<readonly ProductCollection[]> => {
  const all: ProductCollection[] = [];
  for await (const collection of api.productCollections.list({ limit: 200 })) all.push(collection);
  return all;
};

const Row = ({ collection }: { readonly collection: ProductCollection }) => (
  <div class="row between">
    <a href={at(`collections/${collection.id}`)}>{collection.name}</a>
    <span class="row">
      {collection.show_on_homepage && <Badge tone="go">home page</Badge>}
      {!collection.is_active && <Badge>hidden</Badge>}
    </span>
  </div>
);

interface OrderProps {
  readonly collections: readonly ProductCollection[];
  readonly show: (collections: readonly ProductCollection[]) => void;
  readonly refresh: () => void;
}

const Order = ({ collections, show, refresh }: OrderProps) => {
  const write = useWrite(refresh);
  const move = (after: readonly ProductCollection[]): void => {
    const numbered = after.map((each, at) => ({ ...each, display_priority: at + 1 }));
    const changed = numbered.filter(({ display_priority }, at) => after[at]!.display_priority !== display_priority);
    show(numbered);
    void write.run(
      async (api) => {
        for (const { id, display_priority } of changed) await api.productCollections.update({ id, display_priority });
      },
      { done: 'The order is saved.' },
    );
  };
  return (
    <>
      <ProblemNote problem={write.problem} />
      <DragList
        label="Collections in order"
        items={collections}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        move={move}
      >
        {(collection) => <Row collection={collection} />}
      </DragList>
    </>
  );
};

export const CollectionList = () => {
  const can = useCan();
  const loaded = useRecord(readAll, []);
  return (
    <>
      <PageHead title="Collections">
        {can('catalog:write') && (
          <LinkButton tone="primary" icon="add" to={at('collections/new')}>
            New collection
          </LinkButton>
        )}
      </PageHead>
      <Sheet>
        <WhenLoaded loaded={loaded}>
          {(collections) =>
            collections.length === 0 ? (
              <Empty title="No collection yet" icon="product">
                <p>A collection is a hand-picked set of products, such as “Gifts”.</p>
              </Empty>
            ) : (
              <Order collections={collections} show={loaded.set} refresh={loaded.refresh} />
            )
          }
        </WhenLoaded>
      </Sheet>
    </>
  );
};
