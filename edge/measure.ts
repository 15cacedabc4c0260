// Defines the edge's Prometheus metrics.
import type { Route } from '#proto/route.ts';
import type { Latency } from '#runtime/process/latency.ts';
import { gauge, gauges, latency, total, totals } from '#runtime/process/metric.ts';
import type { Edge } from './endpoint.ts';
import type { RequestContext } from './request_context.ts';

const duration = latency('http_request', 'Time of a request in the edge, by endpoint and status.', [
  'endpoint',
  'status',
]);

export function measurer(route: Route): (context: RequestContext, response: Response) => Response {
  const endpoint = `${route.verb} ${route.path}`;
  const series = new Map<number, Latency>();
  return (context, response) => {
    let latencyOfStatus = series.get(response.status);
    if (!latencyOfStatus) {
      latencyOfStatus = duration.labels(endpoint, String(response.status));
      series.set(response.status, latencyOfStatus);
    }
    latencyOfStatus.observe(performance.now() - context.startedAtMs);
    return response;
  };
}

const lanes = {
  limit: gauges('edge_admission_limit', 'Requests of a lane that may be under way now.', 'lane'),
  inFlight: gauges('edge_admission_in_flight', 'Requests of a lane that are under way.', 'lane'),
  shed: totals('edge_admission_shed', 'Requests of a lane that were turned away.', 'lane'),
};

const reads = totals('cache_requests', 'Reads of what an edge may keep: a hit was answered from there.', 'result');

export function measureEdge({ cache, throttle, admission }: Edge): void {
  for (const [name, lane] of Object.entries(admission.lanes)) {
    lanes.limit.of(name, () => lane.limit.limit);
    lanes.inFlight.of(name, () => lane.limit.inFlight);
    lanes.shed.of(name, () => lane.shed);
  }
  reads.of('hit', () => cache.hits);
  reads.of('miss', () => cache.misses);
  gauge('edge_cache_bytes', 'Bytes of answers kept at the edge.', () => cache.bytes);
  gauge('edge_cache_answers', 'Answers kept at the edge.', () => cache.size);
  gauge(
    'edge_limit_leases',
    'Windows of limits that this edge holds tokens of or has counted in.',
    () => throttle.size,
  );
  total('edge_limit_questions', 'Questions asked of the owners of limits.', () => throttle.tokenRequests);
  total('edge_limit_adrift', 'Requests that passed though an owner was away.', () => throttle.passedWithoutOwner);
}
