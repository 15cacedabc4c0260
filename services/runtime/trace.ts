// Spans of requests, sent to an OpenTelemetry collector where OTEL_EXPORTER_OTLP_ENDPOINT names one, and next to
// nothing otherwise. Parents travel as W3C traceparent text, in calls and on the link.

import { randomBytes } from 'node:crypto';
import type { Span, SpanContext, Tracer } from '@opentelemetry/api';

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

/** Null for anything that is not a valid traceparent of the version known here. */
export const parseTraceparent = (text: string): TraceParent | null => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (!traceId || !spanId || !flags || traceId === NO_TRACE_ID || spanId === NO_SPAN_ID) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** The root of a new trace, for a request that brought none. */
export const newTraceparent = (): string =>
  formatTraceparent({
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    sampled: true,
  });

export const tracingActive = (): boolean => tracing !== null;

const finish = (span: Span, problem: unknown, failed: boolean): void => {
  if (failed && tracing) {
    if (problem instanceof Error) span.recordException({ name: problem.name, message: problem.message });
    span.setStatus({ code: tracing.api.SpanStatusCode.ERROR });
  }
  span.end();
};

/**
 * Runs something as a span beneath `parent` (a traceparent, or empty) and hands it the traceparent for what it calls in
 * turn. Without a collector it only runs it.
 */
export const span = <T>(
  name: string,
  parent: string,
  run: (trace: string) => T,
  attributes?: Readonly<Record<string, string | number | boolean>>,
): T => {
  if (!tracing) return run(parent);
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
  const made = tracer.startSpan(name, attributes ? { attributes } : {}, context);
  const { traceId, spanId, traceFlags } = made.spanContext();
  let result: T;
  try {
    result = run(formatTraceparent({ traceId, spanId, sampled: (traceFlags & api.TraceFlags.SAMPLED) !== 0 }));
  } catch (problem) {
    finish(made, problem, true);
    throw problem;
  }
  if (!(result instanceof Promise)) {
    finish(made, null, false);
    return result;
  }
  return result.then(
    (value: unknown) => {
      finish(made, null, false);
      return value;
    },
    (problem: unknown) => {
      finish(made, problem, true);
      throw problem;
    },
  ) as T;
};

export interface TracingOptions {
  /** The service's name in traces: `stoa-edge`. */
  readonly name: string;
  /** OTEL_EXPORTER_OTLP_ENDPOINT; without one nothing is loaded. */
  readonly endpoint: string | undefined;
  readonly version?: string;
}

/** Starts sending spans; returns how to send the last ones and stop. */
export const startTracing = async ({ name, endpoint, version }: TracingOptions): Promise<() => Promise<void>> => {
  if (!endpoint) return async () => {};
  const [api, sdk, exporter, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const provider = new sdk.TracerProvider({
    // A caller's decision not to sample stands.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
    resource: resources.resourceFromAttributes({
      'service.name': name,
      ...(version === undefined ? {} : { 'service.version': version }),
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({
          url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
          timeoutMillis: 5_000,
        }),
        maxQueueSize: 4_096,
        exportTimeoutMillis: 5_000,
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  tracing = { tracer: provider.getTracer('stoa', version), api };
  return async () => {
    tracing = null;
    await provider.shutdown();
  };
};
