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
import type { ListedProduct } from '#proto/client/dashboard.ts';

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

interface MembersProps {
  readonly collection: string;
  readonly saved: readonly ListedProduct[];
}

export const CollectionProducts = ({ collection, saved }: MembersProps) => {
  const can = useCan();
  const [known, setKnown] = useState(new Map(saved.map((product) => [product.id, product])));
  const form = useForm({
    saved: { product_ids: saved.map(({ id }) => id) as readonly string[] },
    save: (api, { product_ids }) => api.productCollections.products.set({ id: collection, product_ids }),
    done: 'The products are saved.',
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
            setKnown(new Map(known).set(product.id, product));
            set([...product_ids, product.id]);
          }}
        />
      )}
      <FormSheet form={form} action="Save the products" canSave={isEditable}>
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
              <div class="row between">
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
