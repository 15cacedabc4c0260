// Runs an OpenTelemetry collector for a test, which receives spans over OTLP/HTTP and stores them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readTraceEnvironment } from '#runtime/process/trace_environment.ts';

export const KIND = { internal: 1, server: 2, client: 3 } as const;
export const ERROR_STATUS = 2;

export interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Messages of thrown errors. */
  readonly problems: readonly string[];
  /** Attributes of its process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly boolValue?: boolean;
}
type Pairs = readonly { readonly key: string; readonly value: Value }[];

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Pairs };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly kind: number;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly status?: { readonly code?: number };
        readonly attributes: Pairs;
        readonly events?: readonly { readonly attributes: Pairs }[];
      }[];
    }[];
  }[];
}

const tableOf = (pairs: Pairs): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]));

const spansOf = ({ resourceSpans }: Sent): SentSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ status, attributes, events = [], parentSpanId = '', ...span }) => ({
        ...span,
        parentSpanId,
        failed: status?.code === ERROR_STATUS,
        attributes: tableOf(attributes),
        problems: events.map((event) => String(tableOf(event.attributes)['exception.message'])),
        resource: tableOf(resource.attributes),
      })),
    ),
  );

export interface Collector {
  readonly url: string;
  readonly spans: SentSpan[];
  /** The environment of a process that sends its spans here. */
  environment(more?: Readonly<Record<string, string>>): ReturnType<typeof readTraceEnvironment>;
  close(): Promise<void>;
}

export const openCollector = async (): Promise<Collector> => {
  const spans: SentSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString())));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    spans,
    environment: (more = {}) => readTraceEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
