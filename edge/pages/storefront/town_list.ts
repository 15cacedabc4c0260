// The towns of a country with their positions, from this system and without the internet.
import { apiUrl, type ShopSetting } from './client.ts';
import type { MapTown } from './town.ts';

/** The most populous first; none where they cannot be read. */
export const readTowns = async (setting: ShopSetting, country: string): Promise<readonly MapTown[]> => {
  const answer = await fetch(`${apiUrl(setting)}/shop/towns/${country}.json`);
  if (!answer.ok) return [];
  const { towns } = (await answer.json()) as { towns: readonly (readonly [string, number, number, number])[] };
  return towns.map(([name, latitude, longitude, population]) => ({ name, latitude, longitude, population }));
};
