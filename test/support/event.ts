// What the bus tells of events from now on, one at a time.
import type { Bus } from '#runtime/bus.ts';
import type { Tenant } from '#runtime/call.ts';
import { unpackEvents } from '#runtime/event_batch.ts';
import type { Envelope } from '#runtime/outbox.ts';

/** Returns how to stop. */
export const hearEvents = (
  { bus, namespace }: { readonly bus: Bus; readonly namespace: string },
  hear: (event: Envelope, tenant: Tenant) => void,
): (() => void) =>
  bus.subscribe(`${namespace}.event.>`, (message) => {
    for (const event of unpackEvents(message))
      if (event) hear(JSON.parse(Buffer.from(event.bytes).toString()) as Envelope, event.tenant);
  });
