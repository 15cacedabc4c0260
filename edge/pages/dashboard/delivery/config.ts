// Changes of the shipping configuration, one item at a time: each names the configuration that it is based on, so that what
// another person saved meanwhile stays. Pure, but for the last two functions.
import type {
  DashboardApi,
  ShippingConfig,
  ShippingLocation,
  ShippingTier,
  ShippingZone,
} from '#proto/client/dashboard.ts';

export interface ConfigItems {
  readonly zones: ShippingZone;
  readonly tiers: ShippingTier;
  readonly locations: ShippingLocation;
}

/** Names the configuration that a draft is based on: other items are saved as they are in it. */
export interface BasedOn {
  readonly version: ShippingConfig;
}

export type ConfigList = keyof ConfigItems;

const listOf = <L extends ConfigList>(config: ShippingConfig, list: L): readonly ConfigItems[L][] =>
  config[list] as readonly unknown[] as readonly ConfigItems[L][];

/** The item as it is in `config`; as it was if it was removed, and null if it is new. */
export const itemIn = <L extends ConfigList>(
  config: ShippingConfig,
  list: L,
  item: ConfigItems[L] | null,
): ConfigItems[L] | null => item && (listOf(config, list).find(({ id }) => id === item.id) ?? item);

/** In place of the item with the same id; else at `at`, or at the end. */
export const withItem = <L extends ConfigList>(
  config: ShippingConfig,
  list: L,
  item: ConfigItems[L],
  at?: number,
): ShippingConfig => {
  const items = listOf(config, list);
  const known = items.findIndex(({ id }) => id !== null && id === item.id);
  const place = known === -1 ? (at ?? items.length) : known;
  return { ...config, [list]: items.toSpliced(place, known === -1 ? 0 : 1, item) };
};

export const withoutItem = (config: ShippingConfig, list: ConfigList, id: string | null): ShippingConfig => ({
  ...config,
  [list]: config[list].filter((item) => item.id !== id),
});

/** Items that the order does not name follow at the end. */
export const inOrder = (config: ShippingConfig, ids: readonly (string | null)[]): ShippingConfig => {
  const place = (id: string | null): number => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return { ...config, zones: config.zones.toSorted((a, b) => place(a.id) - place(b.id)) };
};

/** One primary place at most: the one that was saved last. */
export const withLocation = (config: ShippingConfig, location: ShippingLocation): ShippingConfig => {
  const others = location.primary
    ? { ...config, locations: config.locations.map((each) => ({ ...each, primary: false })) }
    : config;
  return withItem(others, 'locations', location);
};

/** Refused if the stored configuration is no longer `found`. */
export const replaceConfig = (
  api: DashboardApi,
  found: ShippingConfig,
  change: (config: ShippingConfig) => ShippingConfig,
): Promise<ShippingConfig> => api.shipping.config.put({ ...change(found), version: found.updated_at });

export const changeConfig = async (
  api: DashboardApi,
  change: (config: ShippingConfig) => ShippingConfig,
): Promise<ShippingConfig> => replaceConfig(api, await api.shipping.config.get(), change);
