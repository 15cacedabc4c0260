// One product: all its fields in one form, its pictures, the price lists that price it, and its removal.
import {
  at,
  FormSheet,
  go,
  type ScreenForm,
  type ScreenProps,
  useCan,
  useForm,
  useRecord,
  useTranslation,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { Product, ProductCategory, ServerApi, Specification } from '#proto/client/dashboard.ts';
import { categoryOptions } from './category_choice.ts';
import { ChannelFields, OfferFields, ParcelFields } from './detail_field.tsx';
import { changeOf, draftOf, FIELD_NAMES, type ProductDraft } from './draft.ts';
import { AttributeFields, SpecificationFields } from './named_value_field.tsx';
import { Pictures } from './picture.tsx';
import { Preview } from './preview.tsx';
import { PriceListSheet } from './price_list.tsx';
import { ProductHead } from './product_head.tsx';
import { TermFields } from './term_field.tsx';

export interface LoadedProduct {
  readonly product: Product;
  readonly specifications: readonly Specification[];
  readonly tree: readonly ProductCategory[];
  /** The threshold of its only variant. */
  readonly lowStock: number | null;
}

export const loadProduct = async (api: ServerApi, id: string): Promise<LoadedProduct> => {
  const [product, { specifications }, { categories }] = await Promise.all([
    api.products.get({ id }),
    api.products.specifications.get({ id }),
    api.categories.list(),
  ]);
  const level = product.variant_id ? await api.inventory.get({ variant_id: product.variant_id }) : null;
  return { product, specifications, tree: categories, lowStock: level?.inventory.low_stock_threshold ?? null };
};

interface FieldsProps {
  readonly form: ScreenForm<ProductDraft>;
  readonly texts: ReturnType<typeof useTranslation<ProductDraft>>;
  readonly tree: readonly ProductCategory[];
}

const MainFields = ({ form, texts: { text, languageField }, tree }: FieldsProps) => (
  <Sheet title="Description">
    {languageField}
    <TextField label={FIELD_NAMES.name} required {...text('name')} />
    <LongTextField label={FIELD_NAMES.description} rows={6} {...text('description')} />
    <div class="columns">
      <SelectField
        label={FIELD_NAMES.category}
        options={[{ value: '', label: 'None' }, ...categoryOptions(tree)]}
        {...form.field('category', 'category_id')}
      />
      <TextField label={FIELD_NAMES.brand} {...form.field('brand')} />
      <TextField label={FIELD_NAMES.tags} advice="Separated by commas." {...form.field('tags')} />
    </div>
    <div class="row">
      <CheckField label={FIELD_NAMES.is_active} {...form.field('is_active')} />
      <CheckField label={FIELD_NAMES.featured} {...form.field('featured')} />
    </div>
  </Sheet>
);

const SearchFields = ({ texts: { text } }: Pick<FieldsProps, 'texts'>) => (
  <Sheet title="Search engines">
    <TextField label={FIELD_NAMES.seo_title} {...text('seo_title')} />
    <LongTextField label={FIELD_NAMES.seo_description} rows={3} {...text('seo_description')} />
    <TextField label={FIELD_NAMES.seo_keywords} advice="Separated by commas." {...text('seo_keywords')} />
  </Sheet>
);

interface EditorProps extends LoadedProduct {
  readonly read: () => void;
}

const Editor = ({ product, specifications, tree, lowStock, read }: EditorProps) => {
  const can = useCan();
  const { id } = product;
  const form = useForm({
    saved: draftOf(product, specifications, lowStock),
    save: (api, draft, changed) => api.products.update({ id, ...changeOf(draft, changed, tree) }),
    reload: async (api) => {
      const now = await loadProduct(api, id);
      return draftOf(now.product, now.specifications, now.lowStock);
    },
    done: 'The product is saved.',
    next: ({ updated_at }) => ({ version: updated_at ?? '' }),
    after: read,
  });
  const texts = useTranslation(form);
  return (
    <>
      <ProductHead product={product} tab="details" removed={() => go(at('products'))}>
        <Preview product={product} draft={form.draft} />
      </ProductHead>
      <FormSheet form={form} labels={FIELD_NAMES} canSave={can('catalog:write')}>
        <MainFields form={form} texts={texts} tree={tree} />
        <Pictures media={form.draft.media} change={(media) => form.set({ media })} />
        {!product.has_variants && <OfferFields form={form} />}
        <ParcelFields form={form} />
        <AttributeFields {...form.field('attributes')} />
        <SpecificationFields {...form.field('specifications')} />
        <TermFields form={form} product={product} language={texts.language} />
        <ChannelFields form={form} />
        <SearchFields texts={texts} />
      </FormSheet>
      <PriceListSheet product={product} />
    </>
  );
};

export const ProductScreen = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord((api) => loadProduct(api, id), [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {(value) => (
        <div class="stack products">
          <Editor key={value.product.id} {...value} read={loaded.refresh} />
        </div>
      )}
    </WhenLoaded>
  );
};
