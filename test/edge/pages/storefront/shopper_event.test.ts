// Storefront events of the demo shop are sent, and failures are ignored.
import { expect, test } from 'vitest';
import { recordEvent } from '#edge/pages/storefront/shopper_event.ts';

test('an event is sent, and its failure ignored', async () => {
  const sent: unknown[] = [];
  const record = (event: unknown): Promise<never> => {
    sent.push(event);
    return Promise.reject(new Error('offline'));
  };
  recordEvent({ api: { events: { record } } }, { event_type: 'view', product_id: 'mug' });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(sent).toEqual([{ event_type: 'view', product_id: 'mug' }]);
});
