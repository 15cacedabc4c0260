// Determines which features a store can use, by its plan and its data.
import type { SubscriptionState } from './plan.ts';

export type FeatureStatus = 'available' | 'awaiting_data' | 'not_in_plan';

/**
 * How Stoa knows whether a feature has data: from the catalogue, from a domain's report, or `none` if the feature needs
 * no data.
 */
export type FeatureSource = 'catalogue' | 'reported' | 'none';

export interface Ability extends SubscriptionState {
  readonly wholesale_enabled: boolean;
}

interface Capability {
  readonly feature: string;
  readonly source: FeatureSource;
  readonly inPlan: (ability: Ability) => boolean;
}

export const CAPABILITIES: readonly Capability[] = [
  { feature: 'catalogue', source: 'catalogue', inPlan: () => true },
  { feature: 'catalogue_feeds', source: 'catalogue', inPlan: ({ trial, lapsed }) => !trial && !lapsed },
  { feature: 'recommendations', source: 'reported', inPlan: () => true },
  { feature: 'reviews', source: 'reported', inPlan: () => true },
  { feature: 'wholesale', source: 'none', inPlan: ({ wholesale_enabled }) => wholesale_enabled },
];

export const isReportedFeature = (feature: string): boolean =>
  CAPABILITIES.some((capability) => capability.feature === feature && capability.source === 'reported');

export interface FeatureState {
  readonly feature: string;
  readonly hasData: boolean;
  readonly status: FeatureStatus;
  readonly previousStatus: FeatureStatus | null;
}

const initialState = (capability: Capability, ability: Ability): FeatureState => {
  const hasData = capability.source === 'none';
  return { feature: capability.feature, hasData, status: statusOf(capability, ability, hasData), previousStatus: null };
};

const statusOf = ({ inPlan }: Capability, ability: Ability, hasData: boolean): FeatureStatus =>
  !inPlan(ability) ? 'not_in_plan' : hasData ? 'available' : 'awaiting_data';

/** Returns all features in the order of CAPABILITIES. A feature without a stored state gets its initial one. */
export const featureStates = (stored: readonly FeatureState[], ability: Ability): FeatureState[] =>
  CAPABILITIES.map(
    (capability) => stored.find((state) => state.feature === capability.feature) ?? initialState(capability, ability),
  );

export interface DataChange {
  readonly subject: 'catalogue' | { readonly feature: string };
  readonly hasData: boolean;
}

const affects = (dataChange: DataChange, { feature, source }: Capability): boolean =>
  dataChange.subject === 'catalogue' ? source === 'catalogue' : dataChange.subject.feature === feature;

/**
 * Returns the states to store after a change of plan or data. `statusChanges` are those whose status changed; each
 * emits an event.
 */
export const featureChanges = (
  states: readonly FeatureState[],
  ability: Ability,
  dataChange: DataChange | null,
): { readonly changed: FeatureState[]; readonly statusChanges: FeatureState[] } => {
  const changed: FeatureState[] = [];
  const statusChanges: FeatureState[] = [];
  for (const before of states) {
    const capability = CAPABILITIES.find(({ feature }) => feature === before.feature);
    if (capability === undefined) continue;
    const data = dataChange !== null && affects(dataChange, capability) ? dataChange.hasData : before.hasData;
    const status = statusOf(capability, ability, data);
    const moved = status !== before.status;
    const after = { ...before, hasData: data, status, previousStatus: moved ? before.status : before.previousStatus };
    if (moved) statusChanges.push(after);
    if (moved || data !== before.hasData) changed.push(after);
  }
  return { changed, statusChanges };
};
