// Finds zones by postcode prefix. British postcodes have an outward and an inward code; prefixes must match whole
// outward codes, so that SW1 includes SW1A 1AA but not SW10.
import { plainPostcode } from '#values/text.ts';

const OUTWARD = /^[A-Z]{1,2}\d(?:\d|[A-Z])?$/;
const FULL = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/;
/** Matches a British postcode of which the end is missing. */
const PARTIAL = /^([A-Z]{1,2}\d(?:\d|[A-Z]))(\d[A-Z]?)$/;

const splitPostcode = (postcode: string): readonly [outward: string, inward: string] => {
  const [, outward, inward] = FULL.exec(postcode) ?? PARTIAL.exec(postcode) ?? [];
  return outward !== undefined && inward !== undefined ? [outward, inward] : [postcode, ''];
};

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
};

/** Returns whether a prefix of this length splits no sequence of letters or digits. */
const isRunBoundary = (text: string, at: number): boolean =>
  at === text.length || isDigit(text, at - 1) !== isDigit(text, at);

export class PostcodeZones {
  readonly #zones = new Map<string, Map<string, number>>();

  get size(): number {
    let size = 0;
    for (const prefixes of this.#zones.values()) size += prefixes.size;
    return size;
  }

  add(country: string, prefix: string, zone: number): void {
    let prefixes = this.#zones.get(country);
    if (!prefixes) {
      prefixes = new Map();
      this.#zones.set(country, prefixes);
    }
    const plain = plainPostcode(prefix);
    const known = prefixes.get(plain);
    if (known === undefined || zone < known) prefixes.set(plain, zone);
  }

  covers(country: string): boolean {
    return this.#zones.has(country);
  }

  /** Returns the lowest index of a zone that contains the postcode; -1 if none does. */
  find(country: string, postcode: string): number {
    const prefixes = this.#zones.get(country);
    if (!prefixes) return -1;
    const plain = plainPostcode(postcode);
    const [outward, inward] = country === 'GB' ? splitPostcode(plain) : [plain, ''];
    let first = -1;
    for (let length = 1; length <= plain.length; length++) {
      const zone = prefixes.get(plain.slice(0, length));
      if (zone === undefined || (first >= 0 && zone > first)) continue;
      if (country !== 'GB' || isPrefixBoundary(plain.slice(0, length), outward, inward)) first = zone;
    }
    return first;
  }
}

const isPrefixBoundary = (prefix: string, outward: string, inward: string): boolean => {
  if (prefix.length <= outward.length) return isRunBoundary(outward, prefix.length);
  // A prefix such as SW11 is a district, and never sector 1 of the district SW1.
  return !OUTWARD.test(prefix) && isRunBoundary(inward, prefix.length - outward.length);
};
