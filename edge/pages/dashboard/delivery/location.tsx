// One place of the store: where orders are sent from, where they are picked up.
import {
  at,
  FormSheet,
  goAfterSave,
  type ScreenForm,
  type ScreenProps,
  type TextTable,
  textsOf,
  useCan,
  useForm,
  useStore,
  useTranslation,
  wholeTranslationsOf,
} from '#edge/pages/dashboard/page.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { COUNTRIES } from '#edge/pages/storefront/country.ts';
import type { ShippingConfig, ShippingLocation } from '#proto/client/dashboard.ts';
import { type BasedOn, itemIn, replaceConfig, withLocation } from './config.ts';
import { type ItemProps, ItemScreen } from './item_screen.tsx';
import { numberOf, textOf } from './rate.ts';

const COUNTRY_OPTIONS = COUNTRIES.map(([value, label]) => ({ value, label }));

interface LocationDraft {
  readonly name: string;
  readonly translations: TextTable;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly line1: string;
  readonly city: string;
  readonly state: string;
  readonly postal_code: string;
  readonly country: string;
  readonly hours: string;
  readonly instructions: string;
  readonly ships: boolean;
  readonly pickup: boolean;
  readonly primary: boolean;
}

const LABELS: Readonly<Record<keyof LocationDraft, string>> = {
  name: 'Name',
  translations: 'Texts in other languages',
  latitude: 'Latitude',
  longitude: 'Longitude',
  line1: 'Address',
  city: 'City',
  state: 'State or county',
  postal_code: 'Postal code',
  country: 'Country',
  hours: 'Opening hours',
  instructions: 'Instructions',
  ships: 'Orders are sent from here',
  pickup: 'Orders are picked up here',
  primary: 'The primary place',
};

const draftOf = (location: ShippingLocation | null, country: string): LocationDraft => ({
  name: location?.name ?? '',
  translations: textsOf(location?.translations, ['name', 'hours', 'instructions']),
  latitude: location?.latitude ?? null,
  longitude: location?.longitude ?? null,
  line1: location?.address.line1 ?? '',
  city: location?.address.city ?? '',
  state: location?.address.state ?? '',
  postal_code: location?.address.postal_code ?? '',
  country: location?.address.country ?? country,
  hours: location?.hours ?? '',
  instructions: location?.instructions ?? '',
  ships: location?.ships ?? true,
  pickup: location?.pickup ?? false,
  primary: location?.primary ?? false,
});

const locationOf = (draft: LocationDraft, id: string | null): ShippingLocation => ({
  id,
  name: draft.name,
  ...wholeTranslationsOf(draft),
  latitude: numberOf(draft.latitude),
  longitude: numberOf(draft.longitude),
  address: {
    line1: draft.line1,
    city: draft.city,
    state: textOf(draft.state),
    postal_code: textOf(draft.postal_code),
    country: draft.country,
  },
  hours: textOf(draft.hours),
  instructions: textOf(draft.instructions),
  ships: draft.ships,
  pickup: draft.pickup,
  primary: draft.primary,
});

interface PartProps {
  readonly form: ScreenForm<LocationDraft & BasedOn>;
  readonly path: string;
}

const Place = ({ form: { field }, path }: PartProps) => (
  <Sheet title="Where it is">
    <div class="columns">
      <TextField label="Address" required {...field('line1', `${path}.address.line1`)} />
      <TextField label="City" required {...field('city', `${path}.address.city`)} />
      <TextField label="State or county" {...field('state', `${path}.address.state`)} />
      <TextField label="Postal code" {...field('postal_code', `${path}.address.postal_code`)} />
      <SelectField label="Country" options={COUNTRY_OPTIONS} {...field('country', `${path}.address.country`)} />
      <NumberField label="Latitude" required min={-90} max={90} {...field('latitude', `${path}.latitude`)} />
      <NumberField label="Longitude" required min={-180} max={180} {...field('longitude', `${path}.longitude`)} />
    </div>
  </Sheet>
);

const LocationForm = ({ config, item, path }: ItemProps<ShippingLocation>) => {
  const can = useCan();
  const { country } = useStore();
  const draftIn = (now: ShippingConfig) => ({
    ...draftOf(itemIn(now, 'locations', item), country ?? 'US'),
    version: now,
  });
  const form = useForm({
    saved: draftIn(config),
    save: (api, { version, ...draft }) =>
      replaceConfig(api, version, (found) => withLocation(found, locationOf(draft, item?.id ?? null))),
    done: 'The place is saved.',
    reload: async (api) => draftIn(await api.shipping.config.get()),
    after: () => goAfterSave(at('delivery')),
  });
  const { field } = form;
  const { text, languageField } = useTranslation(form, `${path}.`);
  return (
    <FormSheet form={form} labels={LABELS} canSave={can('shipping:write')}>
      <Sheet>
        {languageField}
        <TextField label="Name" required {...text('name')} />
        <div class="row">
          <CheckField label="Orders are sent from here" {...field('ships', `${path}.ships`)} />
          <CheckField label="Orders are picked up here" {...field('pickup', `${path}.pickup`)} />
          <CheckField label="The primary place" {...field('primary', `${path}.primary`)} />
        </div>
      </Sheet>
      <Place form={form} path={path} />
      <Sheet title="For who picks up">
        <TextField label="Opening hours" placeholder="Mon-Sat 9:00-18:00" {...text('hours')} />
        <LongTextField label="Instructions" rows={3} {...text('instructions')} />
      </Sheet>
    </FormSheet>
  );
};

export const LocationScreen = ({ params: { id = '' } }: ScreenProps) => (
  <ItemScreen list="locations" id={id} noun="place">
    {(props) => <LocationForm {...props} />}
  </ItemScreen>
);
