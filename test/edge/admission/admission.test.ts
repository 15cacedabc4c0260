// Tests admission by lane and by store, and that each admitted request is counted out once.
import { describe, expect, test } from 'vitest';
import { type AdmissionPoint, type AdmittedCall, LatencyFloor, LoadAdmission } from '#edge/admission/admission.ts';
import { LANES, type LaneName, laneOfRoute } from '#edge/admission/lane.ts';
import { routes } from '#proto/gen/routes.ts';

const routeOf = (rpc: string) => routes.find((route) => route.rpc === rpc)!;
const pointOf = (admission: LoadAdmission, rpc: string): AdmissionPoint => admission.pointOf(routeOf(rpc))!;

/** Counts the admitted requests among concurrent ones. */
const crowd = (admission: LoadAdmission, point: AdmissionPoint, store: string, count: number): AdmittedCall[] => {
  const entries: AdmittedCall[] = [];
  for (let n = 0; n < count; n++)
    if (admission.refusal(point, store) === null) entries.push(admission.enter(point, store, 0));
  return entries;
};

describe('lanes', () => {
  test.each<[string, LaneName | null]>([
    ['Catalog/GetProduct', 'read'],
    ['Search/SearchProducts', 'read'],
    ['Cart/AddItem', 'write'],
    ['Catalog/UpdateProduct', 'write'],
    ['Order/CreateOrder', 'checkout'],
    ['Payment/VerifyPayment', 'checkout'],
    ['Meta/GetHealth', null],
    ['WebhookLog/ListEvents', null],
    ['Auth/Login', null],
  ])('%s is of %s', (rpc, lane) => {
    expect(laneOfRoute(routeOf(rpc))).toBe(lane);
  });

  test('checkout puts up with the most, and is left the most', () => {
    expect(LANES.read.slackMs).toBeLessThan(LANES.write.slackMs);
    expect(LANES.write.slackMs).toBeLessThan(LANES.checkout.slackMs);
    expect(LANES.read.min).toBeLessThan(LANES.checkout.min);
  });

  test('each is full by itself', () => {
    const admission = new LoadAdmission(routes);
    const write = pointOf(admission, 'Cart/AddItem');
    expect(crowd(admission, write, 'a', 5_000)).toHaveLength(LANES.write.max);
    expect(admission.refusal(write, 'a')).toMatchObject({ code: 'service_unavailable' });
    expect(admission.refusal(pointOf(admission, 'Order/CreateOrder'), 'a')).toBeNull();
    expect(admission.refusal(pointOf(admission, 'Catalog/GetProduct'), 'a')).toBeNull();
  });
});

describe('a loud store', () => {
  test('fills a lane by itself, and shuts out none that has less than its share', () => {
    const admission = new LoadAdmission(routes);
    const point = pointOf(admission, 'Cart/AddItem');
    const loud = crowd(admission, point, 'loud', 5_000);
    expect(loud).toHaveLength(LANES.write.max);
    const quiet = crowd(admission, point, 'quiet', 100);
    expect(quiet).toHaveLength(100);
    expect(admission.refusal(point, 'loud')).not.toBeNull();
    // All together have at most twice the limit, however many stores come.
    for (let n = 0; n < 5_000; n++) crowd(admission, point, `store ${n}`, 5);
    expect(admission.lanes.write.limit.inFlight).toBeLessThanOrEqual(2 * LANES.write.max);
  });

  test('gets the whole lane once other stores are idle', () => {
    const admission = new LoadAdmission(routes);
    const point = pointOf(admission, 'Cart/AddItem');
    const entries = ['a', 'b', 'c'].flatMap((store) => crowd(admission, point, store, 200));
    for (const entry of entries) entry.answered(1);
    expect(admission.lanes.write.limit.inFlight).toBe(0);
    expect(crowd(admission, point, 'a', 5_000)).toHaveLength(LANES.write.max);
  });
});

test('a floor is the least of late, and rises slowly', () => {
  const floor = new LatencyFloor();
  expect(floor.ms).toBe(0);
  for (let now = 0; now < 30_000; now += 100) floor.record(now, now === 5_000 ? 2 : 8);
  expect(floor.ms).toBe(2);
  const seen: number[] = [];
  for (let now = 30_000; now < 300_000; now += 100) {
    floor.record(now, 8);
    if (seen.at(-1) !== floor.ms) seen.push(floor.ms);
  }
  expect(seen[0]).toBe(2);
  expect(seen[1]).toBe(2.5);
  expect(seen.at(-1)).toBe(8);
});
