// Fields of a product's offer, parcel and sales channels.
import { type ScreenForm, useStore } from '#edge/pages/dashboard/page.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { FIELD_NAMES, type ProductDraft } from './draft.ts';

interface FieldsProps {
  readonly form: ScreenForm<ProductDraft>;
}

const CONDITIONS = [
  { value: 'new', label: 'New' },
  { value: 'refurbished', label: 'Refurbished' },
  { value: 'used', label: 'Used' },
] as const;

/** Price, number and measures of a product without variants. */
export const OfferFields = ({ form }: FieldsProps) => {
  const { currency } = useStore();
  const condition = form.field('condition');
  return (
    <Sheet title="Offer">
      <div class="columns">
        <NumberField label={FIELD_NAMES.price} unit={currency} min={0} {...form.field('price')} />
        <NumberField
          label={FIELD_NAMES.sale_price}
          unit={currency}
          min={0}
          advice="Counts while it is below the price."
          {...form.field('sale_price')}
        />
        <TextField label={FIELD_NAMES.sku} {...form.field('sku')} />
        <NumberField
          label={FIELD_NAMES.low_stock_threshold}
          unit="units"
          min={0}
          step={1}
          advice="Empty: the store's own number."
          {...form.field('low_stock_threshold')}
        />
        <SelectField
          label={FIELD_NAMES.condition}
          options={CONDITIONS}
          {...condition}
          change={(value) => {
            const chosen = CONDITIONS.find((each) => each.value === value);
            if (chosen) condition.change(chosen.value);
          }}
        />
        <TextField label={FIELD_NAMES.gtin} advice="EAN, UPC or ISBN." {...form.field('gtin')} />
        <TextField label={FIELD_NAMES.mpn} advice="The maker's number." {...form.field('mpn')} />
        <NumberField label={FIELD_NAMES.weight_grams} unit="g" min={0} step={1} {...form.field('weight_grams')} />
        <TextField label={FIELD_NAMES.dimensions_cm} advice="In cm: 10 × 20 × 5." {...form.field('dimensions_cm')} />
      </div>
    </Sheet>
  );
};

export const ParcelFields = ({ form }: FieldsProps) => (
  <Sheet title="Parcel">
    <CheckField label={FIELD_NAMES.requires_shipping} {...form.field('requires_shipping')} />
    {form.draft.requires_shipping && (
      <div class="columns">
        <NumberField
          label={FIELD_NAMES.parcel_weight}
          unit="g"
          min={0}
          step={1}
          {...form.field('parcel_weight', 'shipping_info.weight_grams')}
        />
        <NumberField
          label={FIELD_NAMES.length_cm}
          unit="cm"
          min={0}
          {...form.field('length_cm', 'shipping_info.length_cm')}
        />
        <NumberField
          label={FIELD_NAMES.width_cm}
          unit="cm"
          min={0}
          {...form.field('width_cm', 'shipping_info.width_cm')}
        />
        <NumberField
          label={FIELD_NAMES.height_cm}
          unit="cm"
          min={0}
          {...form.field('height_cm', 'shipping_info.height_cm')}
        />
      </div>
    )}
  </Sheet>
);

export const ChannelFields = ({ form }: FieldsProps) => (
  <Sheet title="Sales channels">
    <div class="columns">
      <TextField
        label={FIELD_NAMES.google_product_category}
        advice="As Google's list names it: Apparel & Accessories > Shoes."
        {...form.field('google_product_category')}
      />
      <TextField label={FIELD_NAMES.meta_product_category} {...form.field('meta_product_category')} />
    </div>
  </Sheet>
);
