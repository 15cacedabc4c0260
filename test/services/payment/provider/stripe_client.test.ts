// Tests the client of Stripe's SDK against a server that answers without end.
import { expect, test } from 'vitest';
import { ProviderFault } from '#services/payment/provider/provider.ts';
import { denial, stripeClients } from '#services/payment/provider/stripe_client.ts';

test('stops at the bound of an answer without end, with a fault and no denial', async () => {
  let sent = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          pull: (stream) => {
            sent++;
            stream.enqueue(new Uint8Array(65_536).fill(0x20));
          },
        }),
      ),
  });
  try {
    const account = {
      environment: 'sandbox',
      credentials: { secret_key: 'sk_test_none' },
      initializeUrl: null,
      verifyUrl: null,
    } as const;
    const problem = await stripeClients(server.url.href)
      .client(account, 60_000)
      .paymentIntents.retrieve('pi_none')
      .then(
        () => null,
        (caught: unknown) => caught,
      );
    expect(() => denial(problem)).toThrow(ProviderFault);
    expect(sent).toBeGreaterThan(16);
  } finally {
    await server.stop(true);
  }
});
