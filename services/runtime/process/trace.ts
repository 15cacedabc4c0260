// Sends spans of requests to an OpenTelemetry collector, if one is configured. A parent span is passed on as W3C
// traceparent text.

import { randomBytes, randomUUID } from 'node:crypto';
import type { Attributes, Span, SpanContext, SpanKind, Tracer } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { Log } from './log.ts';
import type { TraceEnvironment } from './trace_environment.ts';
import { VERSION } from './version.ts';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NO_TRACE_ID = '0'.repeat(32);
const NO_SPAN_ID = '0'.repeat(16);

interface Tracing {
  readonly tracer: Tracer;
  readonly api: typeof import('@opentelemetry/api');
}

let tracing: Tracing | null = null;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

export const parseTraceparent = (text: string): TraceParent | null => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (!traceId || !spanId || !flags || traceId === NO_TRACE_ID || spanId === NO_SPAN_ID) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

export const tracingActive = (): boolean => tracing !== null;

/** Returns a traceparent that is not recorded, for background work: otherwise each poll would start a trace. */
export const untraced = (): string =>
  tracing
    ? formatTraceparent({
        traceId: randomBytes(16).toString('hex'),
        spanId: randomBytes(8).toString('hex'),
        sampled: false,
      })
    : '';

/** `server` handles a call, `client` calls another process, `internal` is any other work. */
export type SpanRole = 'server' | 'client' | 'internal';

export interface SpanEnd {
  readonly attributes?: Attributes;
  /** Whether this side failed; a refusal is not a failure. */
  readonly failed?: boolean;
  readonly problem?: unknown;
}

export interface OpenSpan {
  readonly trace: string;
  end(end?: SpanEnd): void;
}

const KINDS: Readonly<Record<SpanRole, keyof typeof SpanKind>> = {
  server: 'SERVER',
  client: 'CLIENT',
  internal: 'INTERNAL',
};

const endOf =
  (span: Span, { SpanStatusCode }: Tracing['api']) =>
  ({ attributes, failed = false, problem }: SpanEnd = {}): void => {
    if (attributes) span.setAttributes(attributes);
    if (problem instanceof Error) span.recordException({ name: problem.name, message: problem.message });
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };

/** Starts a span below `parent`, which is a traceparent or empty. Null without a collector. */
export const openSpan = <T>(
  name: string,
  kind: SpanRole,
  parent: string,
  describe: (of: T) => Attributes,
  of: T,
): OpenSpan | null => {
  if (!tracing) return null;
  const attributes = describe(of);
  const { tracer, api } = tracing;
  const above = parent === '' ? null : parseTraceparent(parent);
  const context = above
    ? api.trace.setSpanContext(api.ROOT_CONTEXT, {
        traceId: above.traceId,
        spanId: above.spanId,
        traceFlags: above.sampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE,
        isRemote: true,
      } satisfies SpanContext)
    : api.ROOT_CONTEXT;
  const span = tracer.startSpan(name, { kind: api.SpanKind[KINDS[kind]], attributes }, context);
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    trace: formatTraceparent({ traceId, spanId, sampled: (traceFlags & api.TraceFlags.SAMPLED) !== 0 }),
    end: endOf(span, api),
  };
};

const samplerOf = ({ sampler, ratio }: TraceEnvironment, sdk: typeof import('@opentelemetry/sdk-trace')): Sampler => {
  const root = sampler.endsWith('traceidratio')
    ? new sdk.TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_on')
      ? new sdk.AlwaysOnSampler()
      : new sdk.AlwaysOffSampler();
  return sampler.startsWith('parentbased') ? new sdk.ParentBasedSampler({ root }) : root;
};

/**
 * Starts tracing. `name` is the default service name, such as `stoa-edge`. Returns a function that flushes spans and
 * stops.
 */
export const startTracing = async (
  name: string,
  environment: TraceEnvironment,
  log: Log,
): Promise<() => Promise<void>> => {
  const { url, serviceName, attributes, problems } = environment;
  for (const problem of problems) log.warn(`${problem} It is passed over.`);
  if (url === null) return async () => {};
  const [api, sdk, exporter, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const provider = new sdk.TracerProvider({
    sampler: samplerOf(environment, sdk),
    resource: resources.resourceFromAttributes({
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
      ...attributes,
      'service.name': serviceName ?? name,
      'service.namespace': attributes['service.namespace'] ?? 'stoa',
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({ url }),
        maxQueueSize: 4_096,
        exportTimeoutMillis: 5_000,
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  tracing = { tracer: provider.getTracer('stoa', VERSION), api };
  return async () => {
    tracing = null;
    await provider.shutdown();
  };
};
