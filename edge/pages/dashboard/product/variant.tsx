// The variants of a product: its options, and the matrix of prices, stock and numbers.
import { useState } from 'preact/hooks';
import {
  at,
  FormSheet,
  go,
  type ScreenForm,
  type ScreenProps,
  useCan,
  useForm,
  useRecord,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { Product, ServerApi } from '#proto/client/dashboard.ts';
import { ProductHead } from './product_head.tsx';
import {
  combinations,
  namedOptions,
  removedRows,
  rowName,
  stockDifferences,
  type VariantDraft,
  variantDraftOf,
  variantInput,
  withCombinations,
} from './variant_matrix.ts';
import { VariantTable } from './variant_table.tsx';

const VARIANTS_MAX = 250;

interface MatrixProps {
  readonly form: ScreenForm<VariantDraft>;
}

const OptionFields = ({ form }: MatrixProps) => {
  const { options } = form.draft;
  const change = (at: number, part: Partial<(typeof options)[number]>): void =>
    form.set({ options: options.map((each, index) => (index === at ? { ...each, ...part } : each)) });
  const count = namedOptions(options).length === 0 ? 0 : combinations(options).length;
  return (
    <Sheet title="Options">
      <p class="soft">What shoppers choose by: size, colour.</p>
      {options.map((option, index) => (
        <div key={String(index)} class="pair">
          <TextField
            label={`Option ${index + 1}`}
            placeholder="Size"
            value={option.name}
            change={(name) => change(index, { name })}
          />
          <TextField
            label={`Values of option ${index + 1}`}
            placeholder="S, M, L"
            value={option.values}
            change={(values) => change(index, { values })}
          />
          <IconButton
            icon="remove"
            label={`Remove option ${option.name || index + 1}`}
            press={() => form.set({ options: options.filter((_, place) => place !== index) })}
          />
        </div>
      ))}
      <div class="row">
        <Button icon="add" press={() => form.set({ options: [...options, { name: '', values: '' }] })}>
          Add an option
        </Button>
        <Button
          disabled={count === 0 || count > VARIANTS_MAX}
          press={() => form.set({ rows: withCombinations(form.draft).rows })}
        >
          {count === 0 ? 'Make the variants' : `Make the ${count} variants`}
        </Button>
        {count > VARIANTS_MAX && <span class="soft">A product has at most {VARIANTS_MAX} variants.</span>}
      </div>
    </Sheet>
  );
};

/** Writes the whole set, then books what changed of the stock. */
const saveVariants = async (
  api: ServerApi,
  id: string,
  draft: VariantDraft,
  before: VariantDraft,
): Promise<Product> => {
  const { version, rows } = draft;
  const old = new Map(before.rows.map((row) => [row.key, row]));
  const isSimple = rows.length === 1 && Object.keys(rows[0]!.options).length === 0;
  const only = rows[0]!;
  const saved = isSimple
    ? await api.products.update({
        id,
        version,
        price: only.price,
        sale_price: only.sale_price,
        sku: only.sku.trim() || null,
      })
    : await api.products.update({ id, version, variants: rows.map((row) => variantInput(row, old.get(row.key))) });
  for (const change of stockDifferences(before.rows, rows))
    await api.inventory.adjust({ ...change, reason: 'Variants of the product' });
  return saved;
};

const useVariantForm = (product: Product, read: () => void) => {
  const { id } = product;
  const before = variantDraftOf(product);
  return useForm({
    saved: before,
    save: (api, draft) => saveVariants(api, id, draft, before),
    reload: async (api) => variantDraftOf(await api.products.get({ id })),
    done: 'The variants are saved.',
    after: read,
  });
};

const LABELS = { options: 'Options', rows: 'Variants' };

const Matrix = ({ product, read }: { readonly product: Product; readonly read: () => void }) => {
  const can = useCan();
  const form = useVariantForm(product, read);
  const [asked, setAsked] = useState(false);
  const removed = removedRows(variantDraftOf(product).rows, form.draft.rows);
  const submit = (event?: Event): void => {
    event?.preventDefault();
    if (removed.length > 0) setAsked(true);
    else form.submit();
  };
  return (
    <>
      <ProductHead product={product} tab="variants" removed={() => go(at('products'))} />
      <FormSheet form={{ ...form, submit }} labels={LABELS} canSave={can('catalog:write')}>
        <OptionFields form={form} />
        <VariantTable
          options={namedOptions(form.draft.options).map(({ name }) => name.trim())}
          rows={form.draft.rows}
          change={(rows) => form.set({ rows })}
          problem={form.problem}
        />
      </FormSheet>
      {asked && (
        <Confirm
          title={removed.length === 1 ? `Remove ${rowName(removed[0]!)}?` : `Remove ${removed.length} variants?`}
          action="Save and remove"
          confirm={() => {
            setAsked(false);
            form.submit();
          }}
          close={() => setAsked(false)}
        >
          <p>{removed.map(rowName).join(', ')}: removed with their stock. Orders keep what they recorded.</p>
        </Confirm>
      )}
    </>
  );
};

export const VariantScreen = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord((api) => api.products.get({ id }), [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {(product) => (
        <div class="stack products">
          <Matrix
            product={product}
            read={loaded.refresh}
            key={JSON.stringify([product.updated_at, product.variants])}
          />
        </div>
      )}
    </WhenLoaded>
  );
};
