// Changes many products at once: the choice, a preview of each product, then the progress and the refusals.
import { useState } from 'preact/hooks';
import {
  ProblemNote,
  problemOf,
  problemText,
  useCall,
  useFormats,
  useRecord,
  useStore,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Skeleton } from '#edge/pages/design/display.tsx';
import { NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import type { ListedProduct, Product, ProductCategory, ServerApi } from '#proto/client/dashboard.ts';
import { type BulkChange, type BulkKind, type BulkProduct, type BulkRow, bulkRows } from './bulk_change.ts';
import { categoryOptions } from './category_choice.ts';
import { writeList } from './named_value.ts';

const KINDS = [
  { value: 'price', label: 'Price' },
  { value: 'status', label: 'Shown or hidden' },
  { value: 'category', label: 'Category' },
  { value: 'tags', label: 'Tags' },
];

interface Choice extends Omit<BulkChange, 'addTags' | 'removeTags' | 'value'> {
  readonly value: number | null;
  readonly add: string;
  readonly remove: string;
}

const NO_CHOICE: Choice = {
  kind: 'price',
  shown: true,
  category: '',
  by: 'percent',
  value: null,
  add: '',
  remove: '',
};

interface ChoiceProps {
  readonly choice: Choice;
  readonly change: (choice: Choice) => void;
  readonly tree: readonly ProductCategory[];
}

const ChoiceFields = ({ choice, change, tree }: ChoiceProps) => {
  const { currency } = useStore();
  const set = (part: Partial<Choice>): void => change({ ...choice, ...part });
  return (
    <div class="columns">
      <SelectField
        label="Change"
        value={choice.kind}
        options={KINDS}
        change={(kind) => set({ kind: kind as BulkKind })}
      />
      {choice.kind === 'price' && (
        <>
          <SelectField
            label="By"
            value={choice.by}
            options={[
              { value: 'percent', label: 'Percent' },
              { value: 'amount', label: `An amount in ${currency}` },
            ]}
            change={(by) => set({ by: by as Choice['by'] })}
          />
          <NumberField
            label="Raise by"
            advice="A negative number lowers prices."
            unit={choice.by === 'percent' ? '%' : currency}
            value={choice.value}
            change={(value) => set({ value })}
          />
        </>
      )}
      {choice.kind === 'status' && (
        <SelectField
          label="In the shop"
          value={choice.shown ? 'yes' : 'no'}
          options={[
            { value: 'yes', label: 'Shown' },
            { value: 'no', label: 'Hidden' },
          ]}
          change={(shown) => set({ shown: shown === 'yes' })}
        />
      )}
      {choice.kind === 'category' && (
        <SelectField
          label="Category"
          value={choice.category}
          options={[{ value: '', label: 'None' }, ...categoryOptions(tree)]}
          change={(category) => set({ category })}
        />
      )}
      {choice.kind === 'tags' && (
        <>
          <TextField label="Add tags" advice="Separated by commas." value={choice.add} change={(add) => set({ add })} />
          <TextField label="Remove tags" value={choice.remove} change={(remove) => set({ remove })} />
        </>
      )}
    </div>
  );
};

interface BulkRun {
  readonly total: number;
  readonly done: number;
  readonly refusals: ReadonlyMap<BulkRow, string>;
  readonly running: boolean;
}

const writeRow = (
  api: ServerApi,
  { product: id, variant, update }: BulkRow,
  version: string | null,
): Promise<Product> => {
  const based = version === null ? {} : { version };
  return variant === null
    ? api.products.update({ id, ...update, ...based })
    : api.products.variants.update({ id, variant_id: variant, price: update.price ?? null, ...based });
};

/**
 * Writes row by row, over what the preview shows: a product that another person has changed since is refused. A refused row
 * does not stop the others.
 */
const useBulkRun = () => {
  const call = useCall();
  const [run, setRun] = useState<BulkRun | null>(null);
  const start = async (rows: readonly BulkRow[]): Promise<number> => {
    const refusals = new Map<BulkRow, string>();
    const versions = new Map(rows.map(({ product, version }) => [product, version]));
    for (const [done, row] of rows.entries()) {
      setRun({ total: rows.length, done, refusals: new Map(refusals), running: true });
      try {
        const { updated_at = null } = await call((api) => writeRow(api, row, versions.get(row.product) ?? null));
        versions.set(row.product, updated_at);
      } catch (refused) {
        refusals.set(row, problemText(problemOf(refused)));
      }
    }
    setRun({ total: rows.length, done: rows.length, refusals, running: false });
    return refusals.size;
  };
  return { run, start };
};

const Preview = ({ rows }: { readonly rows: readonly BulkRow[] }) =>
  rows.length === 0 ? (
    <p class="soft">This changes none of them.</p>
  ) : (
    <div class="bulk-preview">
      <Table
        label="What changes"
        rows={rows}
        idOf={({ product, variant }) => variant ?? product}
        columns={[
          { id: 'name', name: 'Product', cell: ({ name }) => name },
          { id: 'before', name: 'Now', cell: ({ before }) => before },
          { id: 'after', name: 'Then', cell: ({ after }) => <b>{after}</b> },
        ]}
      />
    </div>
  );

const Outcome = ({ run }: { readonly run: BulkRun }) => (
  <>
    <p role="status">
      {run.done} of {run.total} are changed.
    </p>
    <progress max={run.total} value={run.done} aria-label="Progress" />
    {run.refusals.size > 0 && (
      <ul class="refusals" aria-label="Refused">
        {[...run.refusals].map(([{ product, variant, name }, message]) => (
          <li key={variant ?? product}>
            <b>{name}</b>: {message}
          </li>
        ))}
      </ul>
    )}
  </>
);

interface BulkEditProps {
  readonly products: readonly ListedProduct[];
  readonly tree: readonly ProductCategory[];
  readonly close: (changed: boolean) => void;
}

/** A list shows no variants; their prices are read before they are changed. */
const useVariants = (products: readonly ListedProduct[]) =>
  useRecord(
    async (api): Promise<readonly BulkProduct[]> => {
      const full: BulkProduct[] = [];
      for (const product of products) {
        if (!product.has_variants) {
          full.push({ ...product, variants: [] });
          continue;
        }
        const { variants = [], updated_at = null } = await api.products.get({ id: product.id });
        full.push({ ...product, variants, updated_at });
      }
      return full;
    },
    [products.map(({ id }) => id).join()],
  );

export const BulkEdit = ({ products, tree, close }: BulkEditProps) => {
  const [choice, setChoice] = useState(NO_CHOICE);
  const { run, start } = useBulkRun();
  const { money } = useFormats();
  const { currency } = useStore();
  const loaded = useVariants(products);
  const decimals = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  const { add, remove, value, ...plain } = choice;
  const change = { ...plain, value: value ?? 0, addTags: writeList(add), removeTags: writeList(remove) };
  const rows = bulkRows(loaded.value ?? [], change, { tree, money, decimals: decimals ?? 2 });
  const apply = async (): Promise<void> => {
    if ((await start(rows)) > 0) return;
    toast('The products are changed.');
    close(true);
  };
  return (
    <Dialog
      title={products.length === 1 ? 'Change 1 product' : `Change ${products.length} products`}
      close={() => !run?.running && close(run !== null)}
      wide
    >
      {run ? <Outcome run={run} /> : <ChoiceFields choice={choice} change={setChoice} tree={tree} />}
      <ProblemNote problem={loaded.problem} again={loaded.refresh} />
      {!run && (loaded.value ? <Preview rows={rows} /> : <Skeleton lines={4} />)}
      <div class="buttons">
        <Button disabled={run?.running ?? false} press={() => close(run !== null)}>
          {run ? 'Close' : 'Back'}
        </Button>
        {!run && (
          <Button tone="primary" disabled={rows.length === 0} press={() => void apply()}>
            {`Change ${rows.length}`}
          </Button>
        )}
      </div>
    </Dialog>
  );
};
