// Features: what a store is able to do, by its plan and by the data it has.
import type { PlanStanding } from './plan.ts';

export type FeatureStatus = 'available' | 'awaiting_data' | 'not_in_plan';

/**
 * Whose word tells whether a feature has data: the catalogue's, by its first active product, or its own domain's. `none`:
 * it needs no data.
 */
export type FeatureSource = 'catalogue' | 'told' | 'none';

/** How the store pays, and whether it sells to businesses. */
export interface Ability extends PlanStanding {
  readonly wholesale_enabled: boolean;
}

interface Capability {
  readonly feature: string;
  readonly source: FeatureSource;
  readonly inPlan: (ability: Ability) => boolean;
}

/** Capabilities that come later add their own line. */
export const CAPABILITIES: readonly Capability[] = [
  { feature: 'catalogue', source: 'catalogue', inPlan: () => true },
  // Specification, feeds: "a store on a trial or with a lapsed subscription: 404".
  { feature: 'catalogue_feeds', source: 'catalogue', inPlan: ({ trial, lapsed }) => !trial && !lapsed },
  { feature: 'recommendations', source: 'told', inPlan: () => true },
  { feature: 'reviews', source: 'told', inPlan: () => true },
  { feature: 'wholesale', source: 'none', inPlan: ({ wholesale_enabled }) => wholesale_enabled },
];

export const isToldFeature = (feature: string): boolean =>
  CAPABILITIES.some((capability) => capability.feature === feature && capability.source === 'told');

/** What is known of one feature of a tenant. */
export interface FeatureState {
  readonly feature: string;
  readonly hasData: boolean;
  readonly status: FeatureStatus;
  readonly previousStatus: FeatureStatus | null;
}

/** A feature of which nothing was ever told. */
const unheard = (capability: Capability, ability: Ability): FeatureState => {
  const hasData = capability.source === 'none';
  return { feature: capability.feature, hasData, status: statusOf(capability, ability, hasData), previousStatus: null };
};

const statusOf = ({ inPlan }: Capability, ability: Ability, hasData: boolean): FeatureStatus =>
  !inPlan(ability) ? 'not_in_plan' : hasData ? 'available' : 'awaiting_data';

/** Every feature of a tenant, in order, whether or not something is stored of it. */
export const featureStates = (stored: readonly FeatureState[], ability: Ability): FeatureState[] =>
  CAPABILITIES.map(
    (capability) => stored.find((state) => state.feature === capability.feature) ?? unheard(capability, ability),
  );

/** Whether there is data: of one feature, or of all that follow the catalogue. */
export interface DataNews {
  readonly of: 'catalogue' | { readonly feature: string };
  readonly hasData: boolean;
}

const concerns = (news: DataNews, { feature, source }: Capability): boolean =>
  news.of === 'catalogue' ? source === 'catalogue' : news.of.feature === feature;

/**
 * What becomes of the features when what the store is able to do or the data is another: the states to store, of which `crossed` are
 * those whose status changed and is to be told.
 */
export const cross = (
  states: readonly FeatureState[],
  ability: Ability,
  news: DataNews | null,
): { readonly changed: FeatureState[]; readonly crossed: FeatureState[] } => {
  const changed: FeatureState[] = [];
  const crossed: FeatureState[] = [];
  for (const before of states) {
    const capability = CAPABILITIES.find(({ feature }) => feature === before.feature);
    if (capability === undefined) continue;
    const data = news !== null && concerns(news, capability) ? news.hasData : before.hasData;
    const status = statusOf(capability, ability, data);
    const moved = status !== before.status;
    const after = { ...before, hasData: data, status, previousStatus: moved ? before.status : before.previousStatus };
    if (moved) crossed.push(after);
    if (moved || data !== before.hasData) changed.push(after);
  }
  return { changed, crossed };
};
