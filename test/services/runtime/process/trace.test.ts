// Spans: nothing without a collector; with one, each under its caller's, of its kind, and kept as the sampler says.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  formatTraceparent,
  openSpan,
  parseTraceparent,
  startTracing,
  tracingActive,
  untraced,
} from '#runtime/process/trace.ts';
import { readTraceEnvironment } from '#runtime/process/trace_environment.ts';
import { VERSION } from '#runtime/process/version.ts';
import { type Collector, KIND, openCollector, type SentSpan } from '#test/support/collector.ts';
import { testLog } from '#test/support/server.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const UNSAMPLED = PARENT.replace(/01$/, '00');
const bare = () => ({});

describe('a traceparent', () => {
  test('parses and formats a traceparent', () => {
    const parsed = parseTraceparent(PARENT);
    expect(parsed).toEqual({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      sampled: true,
    });
    expect(parsed && formatTraceparent(parsed)).toBe(PARENT);
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

test('creates no spans without a collector', async () => {
  const stop = await startTracing('test', readTraceEnvironment({}), testLog());
  expect(tracingActive()).toBe(false);
  const describe = (): never => {
    throw new Error('This is asked of no span.');
  };
  expect(openSpan('x', 'server', PARENT, describe, null)).toBeNull();
  expect(untraced()).toBe('');
  await stop();
});

describe('with a collector', () => {
  let collector: Collector;
  let stop: () => Promise<void> = async () => {};
  beforeEach(async () => {
    collector = await openCollector();
  });
  afterEach(async () => {
    await stop();
    stop = async () => {};
    await collector.close();
  });
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    stop = await startTracing('stoa-test', collector.environment(more), testLog());
  };
  const named = (name: string): SentSpan | undefined => collector.spans.find((span) => span.name === name);

  test('sends spans with their parent, kind and attributes', async () => {
    await start({ OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=a%2Cb' });
    const outer = openSpan('outer', 'server', PARENT, (rows: number) => ({ rows }), 3);
    const inner = openSpan('inner', 'client', outer!.trace, bare, null);
    openSpan('innermost', 'internal', inner!.trace, bare, null)!.end();
    inner!.end({ attributes: { ok: true } });
    outer!.end({ failed: true, problem: new Error('broken') });
    await stop();
    expect(named('outer')).toMatchObject({
      kind: KIND.server,
      traceId: parseTraceparent(PARENT)?.traceId,
      parentSpanId: 'b7ad6b7169203331',
      attributes: { rows: 3 },
      failed: true,
      problems: ['broken'],
    });
    expect(named('inner')).toMatchObject({
      kind: KIND.client,
      traceId: named('outer')!.traceId,
      parentSpanId: named('outer')!.spanId,
      attributes: { ok: true },
      failed: false,
    });
    expect(named('innermost')).toMatchObject({ kind: KIND.internal, parentSpanId: named('inner')!.spanId });
    expect(parseTraceparent(inner!.trace)?.spanId).toBe(named('inner')!.spanId);
    expect(named('outer')!.resource).toMatchObject({
      'service.name': 'stoa-test',
      'service.namespace': 'stoa',
      'service.version': VERSION,
      'service.instance.id': expect.any(String),
      'deployment.environment.name': 'test',
      team: 'a,b',
    });
  });

  /** Whether spans of no trace, of one that is kept and of one that is not are sent. */
  const spansSent = async (): Promise<readonly boolean[]> => {
    for (const [name, parent] of [
      ['root', ''],
      ['sampled', PARENT],
      ['unsampled', UNSAMPLED],
    ] as const)
      openSpan(name, 'server', parent, bare, null)!.end();
    await stop();
    return ['root', 'sampled', 'unsampled'].map((name) => named(name) !== undefined);
  };

  test.each([
    { sampler: '', argument: '', sent: [true, true, false] },
    { sampler: 'always_on', argument: '', sent: [true, true, true] },
    { sampler: 'always_off', argument: '', sent: [false, false, false] },
    { sampler: 'traceidratio', argument: '0', sent: [false, false, false] },
    { sampler: 'traceidratio', argument: '1', sent: [true, true, true] },
    { sampler: 'parentbased_always_on', argument: '', sent: [true, true, false] },
    { sampler: 'parentbased_always_off', argument: '', sent: [false, true, false] },
    { sampler: 'parentbased_traceidratio', argument: '0', sent: [false, true, false] },
    { sampler: 'parentbased_traceidratio', argument: '', sent: [true, true, false] },
  ])('OTEL_TRACES_SAMPLER=$sampler of $argument keeps $sent', async ({ sampler, argument, sent }) => {
    await start({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument });
    expect(await spansSent()).toEqual(sent);
  });

  test('a ratio keeps about so many traces', async () => {
    await start({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' });
    for (let at = 0; at < 1_000; at++) openSpan('one', 'server', '', bare, null)!.end();
    await stop();
    expect(collector.spans.length).toBeGreaterThan(150);
    expect(collector.spans.length).toBeLessThan(350);
  });

  test("a caller's wish not to be recorded goes on to what is called in turn", async () => {
    await start();
    const span = openSpan('quiet', 'server', UNSAMPLED, bare, null)!;
    expect(parseTraceparent(span.trace)).toMatchObject({
      traceId: parseTraceparent(PARENT)?.traceId,
      sampled: false,
    });
    expect(parseTraceparent(untraced())).toMatchObject({ sampled: false });
  });
});
