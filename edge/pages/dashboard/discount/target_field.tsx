// Targets of a promotion: categories, collections and products, each chosen by name and removed.
import { FilterBar, ProblemNote, SearchFilter, useFilters, useRecord } from '#edge/pages/dashboard/page.ts';
import { categoryOptions } from '#edge/pages/dashboard/product/category_choice.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { ChosenList, SeveralField } from '#edge/pages/design/chosen.tsx';
import type { Option } from '#edge/pages/design/field.tsx';
import type { ServerApi } from '#proto/client/dashboard.ts';

const FOUND_MAX = 8;
const IDS_MAX = 100;

const productNames = async (api: ServerApi, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>();
  for (let at = 0; at < ids.length; at += IDS_MAX) {
    const part = ids.slice(at, at + IDS_MAX);
    for (const { id, name } of (await api.products.list({ ids: part, limit: IDS_MAX })).products) names.set(id, name);
  }
  return names;
};

interface ProductChoiceProps {
  readonly ids: readonly string[];
  readonly change: (ids: readonly string[]) => void;
  readonly problem: string | undefined;
}

const ProductChoice = ({ ids, change, problem }: ProductChoiceProps) => {
  const [query] = useFilters();
  const search = query.get('product') ?? '';
  const found = useRecord(
    async (api) =>
      search === '' ? [] : (await api.products.list({ search, sort: 'name', limit: FOUND_MAX })).products,
    [search],
  );
  const names = useRecord((api) => productNames(api, ids), [ids.join()]).value;
  return (
    <div class="stack">
      <FilterBar>
        <SearchFilter name="product" label="Products" placeholder="Name or SKU" />
      </FilterBar>
      {problem && (
        <span class="refusal" role="alert">
          {problem}
        </span>
      )}
      <ProblemNote problem={found.problem} />
      {found.value
        ?.filter(({ id }) => !ids.includes(id))
        .map(({ id, name }) => (
          <div key={id} class="row between">
            {name}
            <Button icon="add" press={() => change([...ids, id])}>
              Add<span class="unseen"> {name}</span>
            </Button>
          </div>
        ))}
      {found.value?.length === 0 && search !== '' && <p class="soft">No product matches “{search}”.</p>}
      <ChosenList label="Chosen products" ids={ids} change={change} nameOf={(id) => names?.get(id) ?? id} />
    </div>
  );
};

const readCollections = async (api: ServerApi): Promise<readonly Option[]> => {
  const all: Option[] = [];
  for await (const { id, name } of api.productCollections.list({ limit: 200 })) all.push({ value: id, label: name });
  return all;
};

export interface PromotionTargetIds {
  readonly product_ids: readonly string[];
  readonly category_ids: readonly string[];
  readonly collection_ids: readonly string[];
}

interface TargetFieldsProps {
  readonly targets: PromotionTargetIds;
  readonly change: (changed: Partial<PromotionTargetIds>) => void;
  readonly problem: (name: keyof PromotionTargetIds) => string | undefined;
}

export const TargetFields = ({ targets, change, problem }: TargetFieldsProps) => {
  const tree = useRecord(async (api) => (await api.categories.list()).categories, []).value ?? [];
  const collections = useRecord(readCollections, []).value ?? [];
  return (
    <div class="columns">
      <SeveralField
        label="Categories"
        options={categoryOptions(tree)}
        ids={targets.category_ids}
        change={(category_ids) => change({ category_ids })}
        problem={problem('category_ids')}
      />
      <SeveralField
        label="Collections"
        options={collections}
        ids={targets.collection_ids}
        change={(collection_ids) => change({ collection_ids })}
        problem={problem('collection_ids')}
      />
      <ProductChoice
        ids={targets.product_ids}
        change={(product_ids) => change({ product_ids })}
        problem={problem('product_ids')}
      />
    </div>
  );
};
