// Reads OpenTelemetry's environment variables; an invalid one never keeps a process from serving.
import { expect, test } from 'vitest';
import { readTraceEnvironment } from '#runtime/process/trace_environment.ts';

const AT = 'http://collector:4318';

test('disables tracing without a URL', () => {
  expect(readTraceEnvironment({})).toEqual({
    url: null,
    sampler: 'parentbased_always_on',
    ratio: 1,
    serviceName: null,
    attributes: {},
    problems: [],
  });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: AT }, `${AT}/v1/traces`],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${AT}/otlp/` }, `${AT}/otlp/v1/traces`],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/x' }, 'http://other/x'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_SDK_DISABLED: 'true' }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: AT, OTEL_TRACES_EXPORTER: 'none' }, null],
])('%j sends to %s', (variables, url) => {
  expect(readTraceEnvironment(variables).url).toBe(url);
});

test('reads service name and resource attributes, OTEL_SERVICE_NAME first', () => {
  const attributes = 'service.name=shop, team = a%20b,region=eu';
  expect(readTraceEnvironment({ OTEL_RESOURCE_ATTRIBUTES: attributes })).toMatchObject({
    serviceName: 'shop',
    attributes: { team: 'a b', region: 'eu' },
  });
  const both = { OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: 'edge' };
  expect(readTraceEnvironment(both).serviceName).toBe('edge');
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'nowhere', { url: null }],
  ['OTEL_TRACES_SAMPLER', 'xray', { sampler: 'parentbased_always_on' }],
  ['OTEL_TRACES_SAMPLER_ARG', '2', { ratio: 1 }],
  ['OTEL_TRACES_SAMPLER_ARG', 'half', { ratio: 1 }],
  ['OTEL_RESOURCE_ATTRIBUTES', 'nothing', { attributes: {} }],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=%', { attributes: {} }],
] as const)('%s=%s is passed over, and said', (name, text, read) => {
  expect(readTraceEnvironment({ [name]: text })).toMatchObject({
    ...read,
    problems: [expect.stringContaining(name)],
  });
});
