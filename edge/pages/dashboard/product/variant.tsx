// The variants of a product: its options, and the matrix of prices, stock and numbers.
import { useEffect, useRef, useState } from 'preact/hooks';
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
  rebaseVariants,
  removedRows,
  rowName,
  stockDifferences,
  type VariantDraft,
  variantDraftOf,
  variantInput,
  withCombinations,
  withStock,
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

const writeRows = (api: ServerApi, product: Product, draft: VariantDraft, before: VariantDraft): Promise<Product> => {
  const { id } = product;
  const { version, rows } = draft;
  const only = rows[0]!;
  if (!product.has_variants && rows.length === 1 && Object.keys(only.options).length === 0)
    return api.products.update({
      id,
      version,
      price: only.price,
      sale_price: only.sale_price,
      sku: only.sku.trim() || null,
    });
  const old = new Map(before.rows.map((row) => [row.key, row]));
  return api.products.update({ id, version, variants: rows.map((row) => variantInput(row, old.get(row.key))) });
};

/** Writes the whole set, then books the differences of stock. */
const useVariantForm = (product: Product, read: () => void) => {
  const { id } = product;
  const before = useRef(variantDraftOf(product));
  useEffect(() => {
    before.current = variantDraftOf(product);
  }, [product]);
  return useForm({
    saved: variantDraftOf(product),
    save: async (api, draft) => {
      const saved = await writeRows(api, product, draft, before.current);
      const changes = stockDifferences(before.current.rows, draft.rows);
      for (const change of changes) {
        await api.inventory.adjust({ ...change, reason: 'Variants of the product' });
        // A difference that was booked is not booked again by the next attempt, if a later one is refused.
        before.current = withStock(before.current, change);
      }
      return changes.length === 0 ? saved : api.products.get({ id });
    },
    reload: async (api) => {
      before.current = variantDraftOf(await api.products.get({ id }));
      return before.current;
    },
    done: 'The variants are saved.',
    next: variantDraftOf,
    rebase: rebaseVariants,
    after: (saved) => {
      before.current = variantDraftOf(saved);
      read();
    },
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
          <Matrix product={product} read={loaded.refresh} key={product.id} />
        </div>
      )}
    </WhenLoaded>
  );
};
