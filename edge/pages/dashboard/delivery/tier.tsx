// One range of distances with its rate.
import {
  at,
  FormSheet,
  goAfterSave,
  problemAt,
  type ScreenProps,
  type TextTable,
  textsOf,
  useCan,
  useForm,
  useTranslation,
  wholeTranslationsOf,
} from '#edge/pages/dashboard/page.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { NumberField, TextField } from '#edge/pages/design/field.tsx';
import type { ShippingConfig, ShippingTier } from '#proto/client/dashboard.ts';
import { itemIn, replaceConfig, withItem } from './config.ts';
import { type ItemProps, ItemScreen } from './item_screen.tsx';
import { EMPTY_RATE, numberOf, type RateDraft, rateDraftOf, rateOf } from './rate.ts';
import { RateFields } from './rate_field.tsx';

const METERS_IN_KM = 1_000;

interface TierDraft {
  readonly name: string;
  readonly translations: TextTable;
  readonly from_km: number | null;
  /** Null: without end. */
  readonly to_km: number | null;
  readonly rate: RateDraft;
}

const draftOf = (tier: ShippingTier | null): TierDraft =>
  tier === null
    ? { name: '', translations: {}, from_km: 0, to_km: null, rate: EMPTY_RATE }
    : {
        name: tier.name,
        translations: textsOf(tier.translations, ['name']),
        from_km: tier.from_meters / METERS_IN_KM,
        to_km: tier.to_meters === null ? null : tier.to_meters / METERS_IN_KM,
        rate: rateDraftOf(tier.rate),
      };

const metersOf = (km: number): number => Math.round(km * METERS_IN_KM);

const tierOf = ({ name, from_km, to_km, rate, ...texts }: TierDraft, id: string | null): ShippingTier => ({
  id,
  name,
  ...wholeTranslationsOf(texts),
  from_meters: from_km === null ? numberOf(null) : metersOf(from_km),
  to_meters: to_km === null ? null : metersOf(to_km),
  rate: rateOf(rate),
});

const TierForm = ({ config, item, path }: ItemProps<ShippingTier>) => {
  const can = useCan();
  const draftIn = (now: ShippingConfig) => ({ ...draftOf(itemIn(now, 'tiers', item)), version: now });
  const form = useForm({
    saved: draftIn(config),
    save: (api, { version, ...draft }) =>
      replaceConfig(api, version, (found) => withItem(found, 'tiers', tierOf(draft, item?.id ?? null))),
    done: 'The distance is saved.',
    reload: async (api) => draftIn(await api.shipping.config.get()),
    after: () => goAfterSave(at('delivery')),
  });
  const { language, text, languageField } = useTranslation(form, `${path}.`);
  return (
    <FormSheet
      form={form}
      labels={{ name: 'Name', translations: 'Texts in other languages', from_km: 'From', to_km: 'To', rate: 'Rate' }}
      canSave={can('shipping:write')}
    >
      <Sheet>
        {languageField}
        <div class="columns">
          <TextField label="Name" required {...text('name')} />
          <NumberField label="From" required unit="km" min={0} {...form.field('from_km', `${path}.from_meters`)} />
          <NumberField
            label="To"
            unit="km"
            min={0}
            advice="Empty: without end."
            {...form.field('to_km', `${path}.to_meters`)}
          />
        </div>
      </Sheet>
      <RateFields
        rate={form.draft.rate}
        language={language}
        change={(rate) => form.set({ rate })}
        problem={(field) => problemAt(form.problem, `${path}.rate.${field}`)}
      />
    </FormSheet>
  );
};

export const TierScreen = ({ params: { id = '' } }: ScreenProps) => (
  <ItemScreen list="tiers" id={id} noun="distance">
    {(props) => <TierForm {...props} />}
  </ItemScreen>
);
