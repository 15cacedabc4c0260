// One zone: its area on the map, as countries or by postal codes, and its rate.
import {
  at,
  FormSheet,
  goAfterSave,
  problemAt,
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
import { SeveralField } from '#edge/pages/design/chosen.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { LongTextField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { COUNTRIES } from '#edge/pages/storefront/country.ts';
import type { ShippingConfig, ShippingZone } from '#proto/client/dashboard.ts';
import { geometryOf, geometryText } from './area_shape.ts';
import { type BasedOn, itemIn, replaceConfig, withItem } from './config.ts';
import { type ItemProps, ItemScreen } from './item_screen.tsx';
import { EMPTY_RATE, type RateDraft, rateDraftOf, rateOf } from './rate.ts';
import { RateFields } from './rate_field.tsx';
import { ZoneMap } from './zone_map.tsx';

const COUNTRY_OPTIONS = COUNTRIES.map(([value, label]) => ({ value, label }));

const KINDS = [
  { value: 'map', label: 'Drawn on the map' },
  { value: 'countries', label: 'Whole countries' },
  { value: 'postcodes', label: 'Postal codes of a country' },
] as const;

interface ZoneDraft {
  readonly name: string;
  readonly translations: TextTable;
  readonly kind: ShippingZone['kind'];
  /** GeoJSON. */
  readonly geometry: string;
  readonly countries: readonly string[];
  readonly country: string;
  /** One a line. */
  readonly prefixes: string;
  readonly rate: RateDraft;
}

const LABELS: Readonly<Record<keyof ZoneDraft, string>> = {
  name: 'Name',
  translations: 'Texts in other languages',
  kind: 'Kind',
  geometry: 'Area on the map',
  countries: 'Countries',
  country: 'Country',
  prefixes: 'Beginnings of postal codes',
  rate: 'Rate',
};

const draftOf = (zone: ShippingZone | null, country: string): ZoneDraft => ({
  name: zone?.name ?? '',
  translations: textsOf(zone?.translations, ['name']),
  kind: zone?.kind ?? 'map',
  geometry: geometryText(zone?.geometry),
  countries: zone?.countries ?? [],
  country: zone?.country ?? country,
  prefixes: zone?.prefixes?.join('\n') ?? '',
  rate: zone === null ? EMPTY_RATE : rateDraftOf(zone.rate),
});

const areaOf = ({ kind, geometry, countries, country, prefixes }: ZoneDraft) => {
  if (kind === 'map') return { geometry: geometryOf(geometry) };
  if (kind === 'countries') return { countries };
  return { country, prefixes: prefixes.split(/[\n,;]+/).flatMap((each) => each.trim() || []) };
};

const zoneOf = (draft: ZoneDraft, id: string | null): ShippingZone => ({
  id,
  name: draft.name,
  ...wholeTranslationsOf(draft),
  kind: draft.kind,
  ...areaOf(draft),
  rate: rateOf(draft.rate),
});

interface AreaProps {
  readonly form: ScreenForm<ZoneDraft & BasedOn>;
  readonly config: ShippingConfig;
  readonly id: string | null;
  readonly path: string;
}

/** The refusal of a field, or of a part of it: `zones[0].geometry.coordinates[0]`. */
const problemIn = ({ problem }: ScreenForm<ZoneDraft & BasedOn>, path: string): string | undefined =>
  problem?.param?.startsWith(path) ? problem.message : undefined;

const MapArea = ({ form, config, id, path }: AreaProps) => {
  const geometry = {
    value: form.draft.geometry,
    change: (text: string) => form.set({ geometry: text }),
    problem: problemIn(form, `${path}.geometry`),
  };
  return (
    <>
      <ZoneMap
        text={geometry.value}
        change={geometry.change}
        others={config.zones.filter((zone) => zone.id !== id)}
        places={config.locations}
      />
      <LongTextField
        label="GeoJSON"
        rows={3}
        advice="A Polygon or MultiPolygon; what is drawn on the map is written here."
        {...geometry}
      />
    </>
  );
};

const Area = (props: AreaProps) => {
  const { form, path } = props;
  const kind = form.field('kind', `${path}.kind`);
  return (
    <Sheet title="Where it is">
      <SelectField
        label="Kind"
        options={KINDS}
        {...kind}
        change={(value) => {
          const chosen = KINDS.find((each) => each.value === value);
          if (chosen) kind.change(chosen.value);
        }}
      />
      {form.draft.kind === 'map' && <MapArea {...props} />}
      {form.draft.kind === 'countries' && (
        <SeveralField
          label="Countries"
          options={COUNTRY_OPTIONS}
          ids={form.draft.countries}
          change={(countries) => form.set({ countries })}
          problem={problemIn(form, `${path}.countries`)}
        />
      )}
      {form.draft.kind === 'postcodes' && (
        <>
          <SelectField label="Country" options={COUNTRY_OPTIONS} {...form.field('country', `${path}.country`)} />
          <LongTextField
            label="Beginnings of postal codes"
            advice="One a line: 001 is 00100, 00101 and so on."
            {...form.field('prefixes')}
            problem={problemIn(form, `${path}.prefixes`)}
          />
        </>
      )}
    </Sheet>
  );
};

const ZoneForm = ({ config, item, path }: ItemProps<ShippingZone>) => {
  const can = useCan();
  const { country } = useStore();
  const id = item?.id ?? null;
  const draftIn = (now: ShippingConfig) => ({
    ...draftOf(itemIn(now, 'zones', item), country ?? 'US'),
    version: now,
  });
  const form = useForm({
    saved: draftIn(config),
    save: (api, { version, ...draft }) =>
      replaceConfig(api, version, (found) => withItem(found, 'zones', zoneOf(draft, id))),
    done: 'The zone is saved.',
    reload: async (api) => draftIn(await api.shipping.config.get()),
    after: () => goAfterSave(at('delivery')),
  });
  const { language, text, languageField } = useTranslation(form, `${path}.`);
  return (
    <FormSheet form={form} labels={LABELS} canSave={can('shipping:write')}>
      <Sheet>
        {languageField}
        <TextField label="Name" required {...text('name')} />
      </Sheet>
      <Area form={form} config={config} id={id} path={path} />
      <RateFields
        rate={form.draft.rate}
        language={language}
        change={(rate) => form.set({ rate })}
        problem={(field) => problemAt(form.problem, `${path}.rate.${field}`)}
      />
    </FormSheet>
  );
};

export const ZoneScreen = ({ params: { id = '' } }: ScreenProps) => (
  <ItemScreen list="zones" id={id} noun="zone">
    {(props) => <ZoneForm {...props} />}
  </ItemScreen>
);
