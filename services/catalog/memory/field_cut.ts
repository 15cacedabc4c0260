// Listed products with the fields that callers name: each is cut once for as long as it looks the same. A storefront asks for
// the same few fields again and again.
import { nameFragment } from '#runtime/call/fragment_list.ts';
import { pickFields, type WantedFields, wantedFields } from '#values/field.ts';
import type { ProductEntry } from './entry.ts';

/** So many sets of fields are remembered by a catalogue: a cut is some hundred bytes a product. */
const SETS_MAX = 8;

interface Cut {
  /** Of the whole product that it was cut from. */
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

  /** `fragment` names what the product looks like now, which `text` tells. */
  cut(entry: ProductEntry, fragment: number, text: () => string): Cut {
    const known = this.#cuts.get(entry);
    if (known?.from === fragment) return known;
    const bytes = encoder.encode(JSON.stringify(pickFields(JSON.parse(text()), this.#wanted)));
    const cut = { from: fragment, name: nameFragment(), bytes };
    this.#cuts.set(entry, cut);
    return cut;
  }
}

/** The sets of fields that were asked for last. */
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
