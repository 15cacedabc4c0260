// The webhook domain: the event log, endpoints that subscribe to events, and deliveries with retries.
import type { StoreOrder } from '#proto/gen/order.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import type { Sender } from './attempt.ts';
import { startCleanup } from './cleanup.ts';
import { deliveriesDue, waitForDeliveries } from './clock_advance.ts';
import { Dispatcher } from './dispatcher.ts';
import { startIntake } from './intake.ts';
import { endpointHandlers } from './rpc/endpoint.ts';
import { logHandlers } from './rpc/log.ts';
import { platformHandlers } from './rpc/platform.ts';
import { openSigner } from './signing_key.ts';
import { secretContext } from './table/endpoint.ts';
import { eventErasures } from './table/erasure.ts';
import { deleteOldEvents } from './table/event.ts';
import { keyContext } from './table/signing_key.ts';

const endpoint: Omit<SealedColumn, 'column'> = {
  table: 'webhook.endpoint',
  id: 'id',
  context: ({ store, environment }, id) => secretContext(store, environment, id),
};

export const SEALED: readonly SealedColumn[] = [
  { ...endpoint, column: 'secret' },
  { ...endpoint, column: 'previous_secret' },
  {
    table: 'webhook.signing_key',
    column: 'secret',
    id: 'kid',
    context: ({ store, environment }, kid) => keyContext(store, environment, kid),
  },
];

export { isFollowed } from './table/endpoint.ts';

const RESET_WAIT_MS = 5_000;

export const webhook = (runtime: Runtime): Domain => {
  const { clock, postgres, seal } = runtime;
  const { allowLocal } = runtime.settings;
  const { ask } = openDomainClient(runtime);

  const currentOrder = async (tenant: Tenant, id: string): Promise<StoreOrder | null> => {
    const found = await ask('Order/GetOrder', { tenant }, { id });
    return found instanceof Refusal ? null : found.order;
  };

  const sender: Sender = {
    outbound: connectOutbound({ allowLocal, resolve: runtime.resolve }),
    seal,
    realMs: () => clock.real(),
    publicUrl: () => runtime.settings.publicUrl,
    signer: (tenant, now) => openSigner(postgres.sql, seal, tenant, now),
    order: currentOrder,
  };
  const dispatcher = new Dispatcher(runtime, sender);
  const wake = (): void => dispatcher.wake();
  let intake: Inbox | null = null;
  let stopCleanup: (() => void) | null = null;

  return {
    name: 'webhook',
    sealedColumns: SEALED,
    retention: [{ what: 'events', days: 30, setting: 'events_days', forget: deleteOldEvents }],
    erasures: eventErasures,
    services: {
      Webhook: endpointHandlers(runtime, { sender, wake }),
      WebhookLog: logHandlers(runtime, wake),
      PlatformWebhook: platformHandlers(runtime, sender.outbound),
    },
    due: [deliveriesDue(runtime, sender, dispatcher)],
    reset: {
      tables: {
        'webhook.delivery': 'cleared',
        'webhook.endpoint': 'retained',
        'webhook.checkout_platform': 'cleared',
        'webhook.followed_checkout': 'cleared',
        'webhook.queue': 'retained',
        'webhook.signing_key': 'retained',
      },
      quiesce: async (tenant) => {
        await dispatcher.waitUntilIdle(tenant, RESET_WAIT_MS);
        await waitForDeliveries(runtime, tenant);
      },
    },
    start: async () => {
      dispatcher.start();
      stopCleanup = startCleanup(runtime);
      intake = startIntake(runtime, wake);
    },
    stop: async () => {
      stopCleanup?.();
      await intake?.stop();
      await dispatcher.stop();
    },
  };
};
