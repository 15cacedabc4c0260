// Reads and checks the options of `stoa capacity plan`.
import { wholeNumber } from '#services/cli/command.ts';
import { SetupError } from '#services/cli/local/child.ts';
import type { CapacityLoad } from './plan.ts';

const MAX = 1_000_000_000;
const RANGES = {
  rps: { least: 1, usual: null },
  stores: { least: 1, usual: 1 },
  orders: { least: 0, usual: 0 },
  products: { least: 1, usual: 200 },
  cores: { least: 1, usual: 8 },
} as const;

type Option = keyof typeof RANGES;

export const readLoad = (
  given: Readonly<Partial<Record<Option, string>>> & { readonly spare?: boolean },
): CapacityLoad => {
  const read = (option: Option): number => {
    const { least, usual } = RANGES[option];
    const value = wholeNumber(given[option], option) ?? usual;
    if (value === null) throw new SetupError(`--${option} is missing.`);
    if (value < least || value > MAX)
      throw new SetupError(`--${option} must be from ${least} to ${MAX}, not ${value}.`);
    return value;
  };
  return {
    rps: read('rps'),
    stores: read('stores'),
    orders: read('orders'),
    products: read('products'),
    cores: read('cores'),
    spare: given.spare === true,
  };
};
