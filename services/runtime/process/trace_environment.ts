// Reads OpenTelemetry's standard variables for sampling and export. Ignores invalid values with a warning, as
// OpenTelemetry prescribes.

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

export interface TraceEnvironment {
  /** URL of the collector; null: no spans are sent. */
  readonly url: string | null;
  readonly sampler: SamplerName;
  /** Share of traces that a ratio sampler keeps, from 0 to 1. */
  readonly ratio: number;
  readonly serviceName: string | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

const SAMPLERS: readonly string[] = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] satisfies SamplerName[];
const isSampler = (text: string): text is SamplerName => SAMPLERS.includes(text);
const SAMPLER: SamplerName = 'parentbased_always_on';

const urlOf = (variables: Variables, problems: string[]): string | null => {
  const own = variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || '';
  const base = variables.OTEL_EXPORTER_OTLP_ENDPOINT || '';
  const url = own || (base && `${base.replace(/(?<!\/)\/+$/, '')}/v1/traces`);
  if (url === '' || variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null;
  if (variables.OTEL_TRACES_EXPORTER?.toLowerCase() === 'none') return null;
  if (URL.canParse(url)) return url;
  problems.push(`${own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'} is no URL.`);
  return null;
};

const samplerOf = (variables: Variables, problems: string[]): SamplerName => {
  const name = variables.OTEL_TRACES_SAMPLER?.toLowerCase() || SAMPLER;
  if (isSampler(name)) return name;
  problems.push(`OTEL_TRACES_SAMPLER is none of ${SAMPLERS.join(', ')}.`);
  return SAMPLER;
};

const ratioOf = (variables: Variables, problems: string[]): number => {
  const ratio = Number(variables.OTEL_TRACES_SAMPLER_ARG || 1);
  if (ratio >= 0 && ratio <= 1) return ratio;
  problems.push('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1.');
  return 1;
};

const attributesOf = (variables: Variables, problems: string[]): Record<string, string> => {
  const attributes: Record<string, string> = {};
  const pairs = (variables.OTEL_RESOURCE_ATTRIBUTES ?? '').split(',');
  for (const pair of pairs.filter((each) => each.trim() !== '')) {
    const at = pair.indexOf('=');
    try {
      if (at < 1) throw new URIError('no key');
      attributes[decodeURIComponent(pair.slice(0, at).trim())] = decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      problems.push(`OTEL_RESOURCE_ATTRIBUTES holds "${pair}", which is no key=value.`);
    }
  }
  return attributes;
};

export const readTraceEnvironment = (variables: Variables): TraceEnvironment => {
  const problems: string[] = [];
  const { 'service.name': named, ...attributes } = attributesOf(variables, problems);
  return {
    url: urlOf(variables, problems),
    sampler: samplerOf(variables, problems),
    ratio: ratioOf(variables, problems),
    serviceName: variables.OTEL_SERVICE_NAME || named || null,
    attributes,
    problems,
  };
};
