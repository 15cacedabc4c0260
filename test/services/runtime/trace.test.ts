// Spans: nothing without a collector; with one, each under its caller's.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  formatTraceparent,
  newTraceparent,
  parseTraceparent,
  span,
  startTracing,
  tracingActive,
} from '#runtime/trace.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a traceparent', () => {
  test('is read and written', () => {
    expect(parseTraceparent(PARENT)).toEqual({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      sampled: true,
    });
    const made = newTraceparent();
    const parsed = parseTraceparent(made);
    expect(parsed && formatTraceparent(parsed)).toBe(made);
  });

  test.each([
    '',
    'garbage',
    PARENT.toUpperCase(),
    PARENT.replace('00-', '01-'),
    `${PARENT}-extra`,
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  ])('%j is none', (text) => {
    expect(parseTraceparent(text)).toBeNull();
  });
});

test('without a collector only the work is done, under the trace that came', async () => {
  const stop = await startTracing({ name: 'test', endpoint: undefined });
  expect(tracingActive()).toBe(false);
  expect(span('x', PARENT, (trace) => trace)).toBe(PARENT);
  await stop();
});

describe('with a collector', () => {
  interface Sent {
    name: string;
    traceId: string;
    spanId: string;
    parentSpanId?: string;
    status?: { code?: number };
    attributes: { key: string; value: Record<string, unknown> }[];
  }
  let server: Server;
  let services: string[];
  let sent: Sent[];
  let stop: () => Promise<void>;

  beforeEach(async () => {
    sent = [];
    services = [];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString());
        for (const { resource, scopeSpans } of body.resourceSpans) {
          services.push(
            ...resource.attributes
              .filter((a: { key: string }) => a.key === 'service.name')
              .map((a: { value: { stringValue: string } }) => a.value.stringValue),
          );
          for (const scope of scopeSpans) sent.push(...scope.spans);
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    stop = await startTracing({ name: 'stoa-test', endpoint: `http://127.0.0.1:${port}/` });
  });
  afterEach(async () => {
    await stop();
    await new Promise((resolve) => server.close(resolve));
  });
  const named = (name: string): Sent | undefined => sent.find((one) => one.name === name);

  test('a span is sent under its parent, its child under it, and their answers come through', async () => {
    const inner = await span('outer', PARENT, async (trace) => span('inner', trace, (own) => own, { rows: 3 }));
    await stop();
    const [outer, child] = [named('outer'), named('inner')];
    expect(outer).toMatchObject({ traceId: parseTraceparent(PARENT)?.traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(child).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId });
    expect(parseTraceparent(inner)?.spanId).toBe(child?.spanId);
    expect(child?.attributes).toEqual([{ key: 'rows', value: { intValue: 3 } }]);
    expect(services).toContain('stoa-test');
  });

  test('what fails is marked as failed and thrown on', async () => {
    await expect(span('later', '', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(() =>
      span('now', '', () => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    await stop();
    for (const name of ['later', 'now']) expect(named(name)?.status?.code).toBe(2);
  });

  test("a caller's wish not to be recorded is kept", async () => {
    const trace = span('quiet', PARENT.replace(/01$/, '00'), (own) => own);
    await stop();
    expect(parseTraceparent(trace)).toMatchObject({ traceId: parseTraceparent(PARENT)?.traceId, sampled: false });
    expect(named('quiet')).toBeUndefined();
  });
});
