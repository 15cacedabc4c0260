// Delivery at a glance: rules, zones in the order in which they are tried, distances, everywhere else, and the store's places.
import type { ComponentChildren } from 'preact';
import {
  at,
  FormSheet,
  ProblemNote,
  useCan,
  useForm,
  useFormats,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { IconButton, LinkButton } from '#edge/pages/design/button.tsx';
import { Badge, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import { SelectField } from '#edge/pages/design/field.tsx';
import { countryName } from '#edge/pages/storefront/country.ts';
import type { DeliveryRate, ShippingConfig, ShippingTier, ShippingZone } from '#proto/client/dashboard.ts';
import {
  type ConfigItems,
  type ConfigList,
  changeConfig,
  inOrder,
  replaceConfig,
  withItem,
  withoutItem,
} from './config.ts';
import { DeliveryTabs } from './tab.tsx';

const RESTRICTIONS = [
  { value: 'none', label: 'Delivery and pickup' },
  { value: 'local_only', label: 'Only in zones and distances' },
  { value: 'pickup_only', label: 'Pickup only' },
] as const;

const ORIGINS = [
  { value: 'primary', label: 'The primary place' },
  { value: 'nearest', label: 'The nearest place' },
] as const;

interface PartProps {
  readonly config: ShippingConfig;
  readonly show: (config: ShippingConfig) => void;
}

const rulesOf = (config: ShippingConfig) => ({
  restriction: config.restriction,
  fulfil_from: config.fulfil_from,
  version: config,
});

const RULE_LABELS = { restriction: 'Offered', fulfil_from: 'Orders are sent from' };

const Rules = ({ config, show }: PartProps) => {
  const can = useCan();
  const form = useForm({
    saved: rulesOf(config),
    save: (api, { version, ...draft }) => replaceConfig(api, version, (found) => ({ ...found, ...draft })),
    done: 'The rules are saved.',
    reload: async (api) => rulesOf(await api.shipping.config.get()),
    after: show,
  });
  const restriction = form.field('restriction');
  const origin = form.field('fulfil_from');
  return (
    <Sheet title="Rules">
      <FormSheet form={form} labels={RULE_LABELS} canSave={can('shipping:write')} action="Save the rules">
        <div class="columns">
          <SelectField
            label="Offered"
            options={RESTRICTIONS}
            {...restriction}
            change={(value) => {
              const chosen = RESTRICTIONS.find((each) => each.value === value);
              if (chosen) restriction.change(chosen.value);
            }}
          />
          <SelectField
            label="Orders are sent from"
            options={ORIGINS}
            {...origin}
            change={(value) => {
              const chosen = ORIGINS.find((each) => each.value === value);
              if (chosen) origin.change(chosen.value);
            }}
          />
        </div>
      </FormSheet>
    </Sheet>
  );
};

const useFee = () => {
  const { money } = useFormats();
  return ({ fee, free_threshold, options }: DeliveryRate): string =>
    [
      fee === 0 ? 'free' : money(fee),
      free_threshold !== null && fee !== 0 ? `free from ${money(free_threshold)}` : '',
      options.length > 0 ? `${options.length} more ${options.length === 1 ? 'option' : 'options'}` : '',
    ]
      .filter((part) => part !== '')
      .join(', ');
};

const COUNTRIES_SHOWN = 4;

const areaText = ({ kind, countries = [], country = '', prefixes = [] }: ShippingZone): string => {
  if (kind === 'map') return 'Drawn on the map';
  if (kind === 'postcodes') return `${countryName(country)}: ${prefixes.length} beginnings of postal codes`;
  const names = countries
    .slice(0, COUNTRIES_SHOWN)
    .map((code) => countryName(code))
    .join(', ');
  const more = countries.length - COUNTRIES_SHOWN;
  return more > 0 ? `${names} and ${more} more` : names;
};

const KM = 1_000;

const rangeText = ({ from_meters, to_meters }: ShippingTier): string =>
  to_meters === null ? `From ${from_meters / KM} km` : `${from_meters / KM} to ${to_meters / KM} km`;

interface ItemRowProps {
  readonly to: string;
  readonly name: string;
  readonly about: ComponentChildren;
  /** Left out of roles that may not remove it. */
  readonly remove: (() => void) | null;
}

const ItemRow = ({ to, name, about, remove }: ItemRowProps) => (
  <div class="row between one-line">
    <span>
      <a href={to}>{name}</a> <span class="soft">{about}</span>
    </span>
    {remove && <IconButton icon="remove" label={`Remove ${name}`} press={remove} />}
  </div>
);

/** Removes an item; undone, it stands where it stood. */
const useRemoval = ({ show }: Pick<PartProps, 'show'>) => {
  const write = useWrite();
  const remove = <L extends ConfigList>(list: L, item: ConfigItems[L], place: number): void =>
    void write.run(async (api) => show(await changeConfig(api, (now) => withoutItem(now, list, item.id))), {
      done: `${item.name} is removed.`,
      undo: async (api) => show(await changeConfig(api, (now) => withItem(now, list, item, place))),
    });
  return { ...write, remove };
};

const AddLink = ({ to, children }: { readonly to: string; readonly children: string }) => {
  const can = useCan();
  return can('shipping:write') ? (
    <LinkButton icon="add" to={at(to)}>
      {children}
    </LinkButton>
  ) : null;
};

const Zones = ({ config, show }: PartProps) => {
  const can = useCan();
  const fee = useFee();
  const removal = useRemoval({ show });
  const order = useWrite();
  const isEditable = can('shipping:write');
  const move = (zones: readonly ShippingZone[]): void => {
    const ids = (list: readonly ShippingZone[]) => list.map(({ id }) => id);
    const put = (list: readonly ShippingZone[]) =>
      order.run((api) => changeConfig(api, (now) => inOrder(now, ids(list))));
    show({ ...config, zones });
    void put(zones).then((saved) => show(saved ?? config));
  };
  return (
    <Sheet title="Zones" action={<AddLink to="delivery/zones/new">New zone</AddLink>}>
      <p class="soft">Tried from the top: the first zone that holds the address gives the rate.</p>
      <ProblemNote problem={removal.problem ?? order.problem} />
      <DragList
        label="Zones in order"
        items={config.zones}
        idOf={({ id }) => id ?? ''}
        nameOf={({ name }) => name}
        move={move}
      >
        {(zone) => (
          <ItemRow
            to={at(`delivery/zones/${zone.id}`)}
            name={zone.name}
            about={`${areaText(zone)} · ${fee(zone.rate)}`}
            remove={isEditable ? () => removal.remove('zones', zone, config.zones.indexOf(zone)) : null}
          />
        )}
      </DragList>
    </Sheet>
  );
};

const Distances = ({ config, show }: PartProps) => {
  const can = useCan();
  const fee = useFee();
  const removal = useRemoval({ show });
  return (
    <Sheet title="Distances" action={<AddLink to="delivery/tiers/new">New distance</AddLink>}>
      <p class="soft">For addresses in no zone: measured from where the order is sent.</p>
      <ProblemNote problem={removal.problem} />
      {config.tiers.map((tier, place) => (
        <ItemRow
          key={tier.id}
          to={at(`delivery/tiers/${tier.id}`)}
          name={tier.name}
          about={`${rangeText(tier)} · ${fee(tier.rate)}`}
          remove={can('shipping:write') ? () => removal.remove('tiers', tier, place) : null}
        />
      ))}
      <div class="row between">
        <span>
          <a href={at('delivery/fallback')}>Everywhere else</a>{' '}
          <span class="soft">{config.fallback === null ? 'No delivery' : fee(config.fallback.rate)}</span>
        </span>
      </div>
    </Sheet>
  );
};

const Places = ({ config, show }: PartProps) => {
  const can = useCan();
  const removal = useRemoval({ show });
  return (
    <Sheet title="Places" action={<AddLink to="delivery/locations/new">New place</AddLink>}>
      <p class="soft">Where orders are sent from, and where they are picked up.</p>
      <ProblemNote problem={removal.problem} />
      {config.locations.map((location, place) => (
        <ItemRow
          key={location.id}
          to={at(`delivery/locations/${location.id}`)}
          name={location.name}
          about={
            <>
              {location.address.line1}, {location.address.city} {location.primary && <Badge tone="go">primary</Badge>}{' '}
              {location.ships && <Badge>sends</Badge>} {location.pickup && <Badge>pickup</Badge>}
            </>
          }
          remove={can('shipping:write') ? () => removal.remove('locations', location, place) : null}
        />
      ))}
    </Sheet>
  );
};

export const DeliveryOverview = () => {
  const loaded = useRecord((api) => api.shipping.config.get(), []);
  return (
    <div class="stack delivery">
      <PageHead title="Delivery" />
      <DeliveryTabs />
      <WhenLoaded loaded={loaded}>
        {(config) => (
          <>
            <Zones config={config} show={loaded.set} />
            <Distances config={config} show={loaded.set} />
            <Places config={config} show={loaded.set} />
            <Rules config={config} show={loaded.set} />
          </>
        )}
      </WhenLoaded>
    </div>
  );
};
