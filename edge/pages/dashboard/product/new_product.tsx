// A new product, with the fewest fields that it is sold by. All others follow in its editor.
import { at, FormSheet, goAfterSave, useCan, useForm, useRecord, useStore } from '#edge/pages/dashboard/page.ts';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { categoryFields, categoryOptions } from './category_choice.ts';

interface NewDraft {
  readonly name: string;
  readonly price: number | null;
  readonly stock: number | null;
  readonly sku: string;
  readonly category: string;
  readonly is_active: boolean;
}

const EMPTY: NewDraft = { name: '', price: null, stock: null, sku: '', category: '', is_active: true };

export const NewProduct = () => {
  const can = useCan();
  const { currency } = useStore();
  const tree = useRecord(async (api) => (await api.categories.list()).categories, []).value ?? [];
  const form = useForm({
    saved: EMPTY,
    save: (api, { name, price, stock, sku, category, is_active }) =>
      api.products.create({
        name: name.trim(),
        price,
        is_active,
        ...(stock === null ? {} : { stock }),
        ...(sku.trim() === '' ? {} : { sku: sku.trim() }),
        ...(category === '' ? {} : categoryFields(tree, category)),
      }),
    done: 'The product is created. Add pictures and details.',
    after: ({ id }) => goAfterSave(at(`products/${id}`)),
  });
  return (
    <>
      <PageHead title="New product" up={{ label: 'Products', to: at('products') }} />
      <FormSheet form={form} action="Create" canSave={can('catalog:write')}>
        <Sheet>
          <TextField label="Name" required {...form.field('name')} />
          <div class="columns">
            <NumberField label="Price" unit={currency} min={0} {...form.field('price')} />
            <NumberField label="Units in stock" min={0} step={1} {...form.field('stock')} />
            <TextField label="SKU" advice="Your own number of it." {...form.field('sku')} />
            <SelectField
              label="Category"
              options={[{ value: '', label: 'None' }, ...categoryOptions(tree)]}
              {...form.field('category', 'category_id')}
            />
          </div>
          <CheckField
            label="Show it in the shop"
            advice="Variants, pictures and details follow on the next screen."
            {...form.field('is_active')}
          />
        </Sheet>
      </FormSheet>
    </>
  );
};
