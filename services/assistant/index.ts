// What shopping assistants ask of a store, as the host sees it. It keeps nothing of its own.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { openPlatforms } from './platform.ts';
import { catalogueHandlers } from './rpc/catalogue.ts';
import { deliveryHandlers } from './rpc/delivery.ts';
import { orderHandlers } from './rpc/order.ts';
import { platformHandlers } from './rpc/platform.ts';
import { shopHandlers } from './rpc/shop.ts';

export const assistant = (runtime: Runtime): Domain => {
  const domainClient = openDomainClient(runtime);
  const { clock, resolve, settings } = runtime;
  const outbound = connectOutbound({ allowLocal: settings.allowLocal, resolve });
  return {
    name: 'assistant',
    services: {
      Assistant: {
        ...shopHandlers(domainClient),
        ...catalogueHandlers(runtime),
        ...deliveryHandlers(domainClient),
        ...orderHandlers(domainClient),
        ...platformHandlers(openPlatforms(outbound, clock)),
      },
    },
  };
};
