// Suggests towns of a country while their name is typed. A postcode beside the name, as in `80331 Mün`, is not looked up.

import type { Destination } from '#services/shipping/engine.ts';
import { plainPostcode } from '#values/text.ts';
import { foldName, type Gazetteer } from './gazetteer.ts';
import { stateCodeOf } from './region.ts';
import { ALTERNATIVE_NAMES } from './town.ts';

export interface SuggestedPlace extends Destination {
  readonly city: string;
  readonly state: string | null;
}

/** Fewest typed letters that another name of a town is suggested for: Vienna for `Wie`. */
const ALTERNATIVE_LETTERS_MIN = 3;

interface TypedPlace {
  readonly key: string;
  readonly postcode: string | null;
}

const splitTyped = (text: string): TypedPlace => {
  const words = text.trim().split(/[\s,]+/);
  const hasDigit = (word: string): boolean => /\p{Nd}/u.test(word);
  return {
    key: foldName(words.filter((word) => !hasDigit(word)).join(' ')),
    postcode: plainPostcode(words.filter(hasDigit).join('')) || null,
  };
};

function* towns(gazetteer: Gazetteer, country: string, key: string) {
  if (key.length >= ALTERNATIVE_LETTERS_MIN)
    for (const [other, name] of Object.entries(ALTERNATIVE_NAMES))
      if (other.startsWith(key))
        for (const town of gazetteer.startingWith(country, name)) if (foldName(town.name) === name) yield town;
  yield* gazetteer.startingWith(country, key);
}

/** Returns each city of a state once, with the position of its most populous town of the name. */
export const suggestPlaces = (gazetteer: Gazetteer, country: string, text: string, limit: number): SuggestedPlace[] => {
  const { key, postcode } = splitTyped(text);
  const places = new Map<string, SuggestedPlace>();
  if (key === '' && text !== '') return [];
  for (const town of towns(gazetteer, country, key)) {
    const { name: city, latitude, longitude } = town;
    const state = stateCodeOf(town);
    const shown = JSON.stringify([city, state]);
    if (!places.has(shown)) places.set(shown, { city, state, country, postcode, point: { latitude, longitude } });
    if (places.size === limit) break;
  }
  return [...places.values()];
};
