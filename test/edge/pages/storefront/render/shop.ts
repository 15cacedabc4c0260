// Opens the shop's handler for tests, imported by name as the edge does it, because its types need those of browsers.
import type { ShopHandler, ShopOptions } from '#edge/pages/storefront/setting.ts';

interface HandlerModule {
  readonly createShop: (options: ShopOptions) => ShopHandler;
}

export const createShop = async (options: ShopOptions): Promise<ShopHandler> => {
  const path = '#edge/pages/storefront/render/handler.ts';
  const module: HandlerModule = await import(path);
  return module.createShop(options);
};
