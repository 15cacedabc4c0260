// The country in which a point lies, by the borders that @rapideditor/country-coder carries along.
import { iso1A2Code } from '@rapideditor/country-coder';
import type { Point } from '#values/geo/distance.ts';

/** ISO 3166-1 alpha-2, of dependent territories too (PR, HK); null at sea. */
export const countryAt = ({ latitude, longitude }: Point): string | null =>
  iso1A2Code([longitude, latitude], { level: 'territory' });
