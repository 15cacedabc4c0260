// What pricing needs to know of a store: its currency and whether its prices include tax. Kept until a notice.
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { Refusal, Rendered, type Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export interface Shop {
  readonly currency: Currency;
  readonly taxInclusive: boolean;
}

/** A notice may be lost with the bus; nothing is believed for longer. */
const AGE_MS_MAX = 30_000;
const SHOPS_MAX = 20_000;

export class Shops {
  readonly #foundation: Pick<Foundation, 'ask' | 'clock'>;
  readonly #known = new Map<string, { readonly shop: Shop; readonly until: number }>();
  readonly #asking = new Map<string, Promise<Shop>>();

  constructor(foundation: Pick<Foundation, 'ask' | 'clock'>) {
    this.#foundation = foundation;
  }

  /** At once where it is known: aged is good enough while it is asked for again. */
  get(tenant: Tenant): Shop | Promise<Shop> {
    const known = this.#known.get(tenant.store);
    if (!known) return this.#refresh(tenant);
    if (known.until <= this.#foundation.clock.real()) this.#refresh(tenant).catch(() => {});
    return known.shop;
  }

  forget(store: string): void {
    this.#known.delete(store);
    this.#asking.delete(store);
  }

  #refresh(tenant: Tenant): Promise<Shop> {
    const { store } = tenant;
    const running = this.#asking.get(store);
    if (running) return running;
    const asking: Promise<Shop> = this.#ask(tenant)
      .then((shop) => {
        // Forgotten meanwhile: good for who asked before, not for who comes next.
        if (this.#asking.get(store) !== asking) return shop;
        if (this.#known.size >= SHOPS_MAX) this.#known.clear();
        this.#known.set(store, { shop, until: this.#foundation.clock.real() + AGE_MS_MAX });
        return shop;
      })
      .finally(() => {
        if (this.#asking.get(store) === asking) this.#asking.delete(store);
      });
    this.#asking.set(store, asking);
    return asking;
  }

  async #ask(tenant: Tenant): Promise<Shop> {
    const reply = await this.#foundation.ask<GetProfileResponse>('StoreDirectory/GetProfile', tenant, {
      store: tenant.store,
    });
    if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable('The store is not known.');
    return { currency: currencyOf(reply.currency), taxInclusive: reply.tax_inclusive };
  }
}
