// Caches products of lists in a language and reduced to the requested `fields`, because storefronts request the same few
// of both repeatedly.
import { nameFragment } from '#runtime/call/fragment_list.ts';
import { pickFields, type WantedFields, wantedFields } from '#values/field.ts';
import { RecentMap } from '#values/recent_map.ts';
import type { ProductEntry } from './entry.ts';

const SETS_MAX = 16;

interface Cut {
  readonly from: number;
  readonly name: number;
  readonly bytes: Uint8Array;
  /** Number of the bytes without the closing brace. */
  readonly openName: number;
}

const encoder = new TextEncoder();

export class FieldCuts {
  readonly #wanted: WantedFields | null;
  readonly #cuts = new WeakMap<ProductEntry, Cut>();

  constructor(fields: string) {
    this.#wanted = fields === '' ? null : wantedFields(fields);
  }

  cut(entry: ProductEntry, fragment: number, product: () => object): Cut {
    const known = this.#cuts.get(entry);
    if (known?.from === fragment) return known;
    const whole = product();
    const bytes = encoder.encode(JSON.stringify(this.#wanted ? pickFields(whole, this.#wanted) : whole));
    const cut = { from: fragment, name: nameFragment(), bytes, openName: nameFragment() };
    this.#cuts.set(entry, cut);
    return cut;
  }
}

export class FieldSets {
  readonly #sets = new RecentMap<string, FieldCuts>(SETS_MAX);

  /** `fields` is empty for whole products; `language` is empty for the default one. */
  of(fields: string, language = ''): FieldCuts {
    return this.#sets.getOrInsertComputed(`${language} ${fields}`, () => new FieldCuts(fields));
  }
}
