// Detects endless growth: the slope of a series of measurements, and its bound.

export interface Sample {
  readonly hours: number;
  readonly value: number;
}

export interface Bound {
  /** Allowed growth in an hour, as a share of its mean. */
  readonly shareAnHour?: number;
  /** Upper bound at all times. */
  readonly max?: number;
}

export interface Growth {
  readonly first: number;
  readonly last: number;
  readonly max: number;
  /** Slope by least squares after the first sixth, in which warming up is no leak. */
  readonly slopeAnHour: number;
  readonly within: boolean;
}

const WARM_SHARE = 6;
/** A slope of minutes is warmth, or a fault. */
const JUDGED_HOURS = 0.5;

export const growthOf = (samples: readonly Sample[], { shareAnHour, max }: Bound): Growth => {
  const steady = samples.slice(Math.floor(samples.length / WARM_SHARE));
  const mean = (of: (sample: Sample) => number): number =>
    steady.reduce((sum, sample) => sum + of(sample), 0) / Math.max(1, steady.length);
  const [hours, value] = [mean((sample) => sample.hours), mean((sample) => sample.value)];
  const spread = mean((sample) => (sample.hours - hours) ** 2);
  const slopeAnHour = spread === 0 ? 0 : mean((sample) => (sample.hours - hours) * (sample.value - value)) / spread;
  const highest = samples.reduce((most, sample) => Math.max(most, sample.value), 0);
  return {
    first: samples[0]?.value ?? 0,
    last: samples.at(-1)?.value ?? 0,
    max: highest,
    slopeAnHour,
    within:
      (shareAnHour === undefined ||
        (samples.at(-1)?.hours ?? 0) < JUDGED_HOURS ||
        slopeAnHour <= shareAnHour * value) &&
      (max === undefined || highest <= max),
  };
};
