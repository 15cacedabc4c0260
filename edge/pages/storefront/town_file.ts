// Reads the largest towns of a country, which the shop serves beside its pages.
import type { MapTown } from './town.ts';

const DEADLINE_MS = 10_000;

/** No town for a country that the shop does not know. */
export const townsOf = async (base: string, country: string): Promise<readonly MapTown[]> => {
  const answer = await fetch(`${base}/shop/towns/${country}.json`, { signal: AbortSignal.timeout(DEADLINE_MS) });
  if (!answer.ok) return [];
  const { towns } = (await answer.json()) as { towns: readonly (readonly [string, number, number, number])[] };
  return towns.map(([name, latitude, longitude, population]) => ({ name, latitude, longitude, population }));
};
