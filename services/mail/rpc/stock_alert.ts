// The handler of StockAlert: shoppers ask for a mail when a product can be bought again.
import { randomUUIDv7 } from 'bun';
import type { CreateStockAlertRequest, StockAlertResponse, StockAlertRpcs } from '#proto/gen/stock_alert.ts';
import { notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, staged } from '#runtime/domain/rpc.ts';
import type { StockWatch } from '#services/mail/stock_watch.ts';
import { insertStockAlert, type WatchedStock } from '#services/mail/table/stock_alert.ts';
import { normalEmail } from '#values/text.ts';

const IN_STOCK = refuse('conflict', 'The product can be bought now. Ask only while it is out of stock.');

const watchedOf = ({ id, variant_id }: CreateStockAlertRequest): WatchedStock => ({
  product_id: id.toLowerCase(),
  variant_id: variant_id?.toLowerCase() ?? null,
});

export const stockAlertHandlers = ({ find, note }: Pick<StockWatch, 'find' | 'note'>): Handlers<StockAlertRpcs> => ({
  CreateStockAlert: staged<CreateStockAlertRequest, StockAlertResponse, WatchedStock>({
    prepare: async ({ tenant }, input) => {
      const watched = watchedOf(input);
      const whole = await find(tenant, { ...watched, variant_id: null });
      if (whole instanceof Refusal) return whole;
      const found = watched.variant_id === null ? whole : await find(tenant, watched);
      if (found instanceof Refusal) return notFound('variant', 'variant_id');
      return found === null ? watched : IN_STOCK;
    },
    run: async (tx, { tenant }, { email, language = null }, watched) => {
      const record = {
        ...watched,
        id: randomUUIDv7(),
        email: normalEmail(email),
        language,
        created_at: tx.clock.now(tenant),
      };
      await insertStockAlert(tx.sql, tenant, record);
      // The stock may have come back before the alert was there to be found.
      tx.afterCommit(() => note(tenant, [watched.product_id]));
      return { stock_alert: { ...watched, email } };
    },
    undo: () => {},
  }),
});
