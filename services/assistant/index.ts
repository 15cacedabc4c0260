// What shopping assistants ask of a store, as the host sees it. It keeps nothing of its own.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openInquiry } from '#runtime/door/inquiry.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { openPlatforms } from './platform.ts';
import { catalogueHandlers } from './rpc/catalogue.ts';
import { deliveryHandlers } from './rpc/delivery.ts';
import { orderHandlers } from './rpc/order.ts';
import { platformHandlers } from './rpc/platform.ts';
import { shopHandlers } from './rpc/shop.ts';

export const assistant = (foundation: Foundation): Domain => {
  const inquiry = openInquiry(foundation);
  const { clock, resolve, settings } = foundation;
  const outbound = connectOutbound({ allowLocal: settings.allowLocal, resolve });
  return {
    name: 'assistant',
    services: {
      Assistant: {
        ...shopHandlers(inquiry),
        ...catalogueHandlers(foundation),
        ...deliveryHandlers(inquiry),
        ...orderHandlers(inquiry),
        ...platformHandlers(openPlatforms(outbound, clock)),
      },
    },
  };
};
