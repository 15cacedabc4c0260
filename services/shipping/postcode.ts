// Zones of postcodes by their beginnings, in Great Britain by whole outward codes first, so that SW1 holds SW1A 1AA and
// not SW10.
import { plainPostcode } from '#values/typed_name.ts';

/** Letters, digits, perhaps a letter: what stands before the space. */
const OUTWARD = /^[A-Z]{1,2}\d(?:\d|[A-Z])?$/;
const WHOLE = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/;
/** Typed so far: the inward code may lack its end where the outward one cannot go on. */
const BEGUN = /^([A-Z]{1,2}\d(?:\d|[A-Z]))(\d[A-Z]?)$/;

/** Outward and inward code of a plain British postcode. */
const parts = (postcode: string): readonly [outward: string, inward: string] => {
  const [, outward, inward] = WHOLE.exec(postcode) ?? BEGUN.exec(postcode) ?? [];
  return outward !== undefined && inward !== undefined ? [outward, inward] : [postcode, ''];
};

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
};

/** Whether a text may end here without splitting a run of letters or of digits. */
const endsRun = (text: string, at: number): boolean =>
  at === text.length || isDigit(text, at - 1) !== isDigit(text, at);

export class PostcodeZones {
  readonly #zones = new Map<string, Map<string, number>>();

  /** Prefixes known. */
  get size(): number {
    let size = 0;
    for (const prefixes of this.#zones.values()) size += prefixes.size;
    return size;
  }

  /** The first zone to name a prefix keeps it. */
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

  /** The first zone that holds the postcode; -1 where none does. */
  find(country: string, postcode: string): number {
    const prefixes = this.#zones.get(country);
    if (!prefixes) return -1;
    const plain = plainPostcode(postcode);
    const [outward, inward] = country === 'GB' ? parts(plain) : [plain, ''];
    let first = -1;
    for (let length = 1; length <= plain.length; length++) {
      const zone = prefixes.get(plain.slice(0, length));
      if (zone === undefined || (first >= 0 && zone > first)) continue;
      if (country !== 'GB' || holds(plain.slice(0, length), outward, inward)) first = zone;
    }
    return first;
  }
}

/** Whether a British prefix that a postcode begins with stops where it may. */
const holds = (prefix: string, outward: string, inward: string): boolean => {
  if (prefix.length <= outward.length) return endsRun(outward, prefix.length);
  // SW11 is a district of its own, never the first sector of SW1.
  return !OUTWARD.test(prefix) && endsRun(inward, prefix.length - outward.length);
};
