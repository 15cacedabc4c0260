// Reduces products in lists to the requested `fields`. Caches the reduced texts, because storefronts request the same
// few fields repeatedly.
import { nameFragment } from '#runtime/call/fragment_list.ts';
import { pickFields, type WantedFields, wantedFields } from '#values/field.ts';
import type { ProductEntry } from './entry.ts';

const SETS_MAX = 8;

interface Cut {
  readonly from: number;
  readonly name: number;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

export class FieldCuts {
  readonly #wanted: WantedFields;
  readonly #cuts = new WeakMap<ProductEntry, Cut>();

  constructor(fields: string) {
    this.#wanted = wantedFields(fields);
  }

  cut(entry: ProductEntry, fragment: number, text: () => string): Cut {
    const known = this.#cuts.get(entry);
    if (known?.from === fragment) return known;
    const bytes = encoder.encode(JSON.stringify(pickFields(JSON.parse(text()), this.#wanted)));
    const cut = { from: fragment, name: nameFragment(), bytes };
    this.#cuts.set(entry, cut);
    return cut;
  }
}

export class FieldSets {
  readonly #sets = new Map<string, FieldCuts>();

  of(fields: string): FieldCuts {
    const found = this.#sets.get(fields) ?? new FieldCuts(fields);
    this.#sets.delete(fields);
    this.#sets.set(fields, found);
    if (this.#sets.size > SETS_MAX) this.#sets.delete(this.#sets.keys().next().value!);
    return found;
  }
}
