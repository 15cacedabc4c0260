// The products of a collection: found and added, removed, and put in order by dragging.
import { useState } from 'preact/hooks';
import {
  at,
  FormSheet,
  ProblemNote,
  SearchFilter,
  useCan,
  useFilters,
  useForm,
  useRecord,
} from '#edge/pages/dashboard/page.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Badge, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import type { DashboardApi, ListedProduct, ProductCollection } from '#proto/client/dashboard.ts';

const FOUND_MAX = 8;

interface FinderProps {
  readonly chosen: ReadonlySet<string>;
  readonly add: (product: ListedProduct) => void;
}

const ProductFinder = ({ chosen, add }: FinderProps) => {
  const [query] = useFilters();
  const search = query.get('product') ?? '';
  const { value, problem } = useRecord(
    async (api) =>
      search === '' ? [] : (await api.products.list({ search, sort: 'name', limit: FOUND_MAX })).products,
    [search],
  );
  return (
    <>
      <SearchFilter name="product" label="Add a product" placeholder="Name or SKU" />
      <ProblemNote problem={problem} />
      {value?.map((product) => (
        <div key={product.id} class="row between">
          <span>{product.name}</span>
          <Button icon="add" disabled={chosen.has(product.id)} press={() => add(product)}>
            Add<span class="unseen"> {product.name}</span>
          </Button>
        </div>
      ))}
      {value?.length === 0 && search !== '' && <p class="soft">No product matches “{search}”.</p>}
    </>
  );
};

export interface LoadedCollection {
  readonly collection: ProductCollection;
  readonly products: readonly ListedProduct[];
}

interface MembersProps {
  readonly saved: LoadedCollection;
  readonly reload: (api: DashboardApi) => Promise<LoadedCollection>;
  readonly after: (saved: LoadedCollection) => void;
}

interface MembersDraft {
  readonly product_ids: readonly string[];
  readonly version: string;
}

const draftOf = ({ collection, products }: LoadedCollection): MembersDraft => ({
  product_ids: products.map(({ id }) => id),
  version: collection.updated_at,
});

export const CollectionProducts = ({ saved, reload, after }: MembersProps) => {
  const can = useCan();
  // Every product that the screen has read; it only grows.
  const [known] = useState(new Map<string, ListedProduct>());
  const learn = (products: readonly ListedProduct[]): void => {
    for (const product of products) known.set(product.id, product);
  };
  learn(saved.products);
  const { id } = saved.collection;
  const form = useForm({
    saved: draftOf(saved),
    save: async (api, draft) => ({ ...draft, ...(await api.productCollections.products.set({ id, ...draft })) }),
    done: 'The products are saved.',
    after: ({ collection, product_ids }) =>
      after({ collection, products: product_ids.flatMap((each) => known.get(each) ?? []) }),
    reload: async (api) => {
      const now = await reload(api);
      learn(now.products);
      return draftOf(now);
    },
  });
  const { product_ids } = form.draft;
  const set = (ids: readonly string[]): void => form.set({ product_ids: ids });
  const isEditable = can('catalog:write');
  return (
    <Sheet title="Products">
      {isEditable && (
        <ProductFinder
          chosen={new Set(product_ids)}
          add={(product) => {
            learn([product]);
            set([...product_ids, product.id]);
          }}
        />
      )}
      <FormSheet
        form={form}
        labels={{ product_ids: 'Products' }}
        nameOf={(each) => known.get(each)?.name}
        action="Save the products"
        canSave={isEditable}
      >
        {product_ids.length === 0 && <p class="soft">No product is in it yet.</p>}
        <DragList
          label="Products in order"
          items={product_ids}
          idOf={(id) => id}
          nameOf={(id) => known.get(id)?.name ?? id}
          move={set}
        >
          {(id) => {
            const product = known.get(id);
            return (
              <div class="row between one-line">
                <span class="row">
                  <a href={at(`products/${id}`)}>{product?.name ?? id}</a>
                  {product?.is_active === false && <Badge>hidden</Badge>}
                </span>
                {isEditable && (
                  <IconButton
                    icon="remove"
                    label={`Remove ${product?.name ?? id}`}
                    press={() => set(product_ids.filter((each) => each !== id))}
                  />
                )}
              </div>
            );
          }}
        </DragList>
      </FormSheet>
    </Sheet>
  );
};
