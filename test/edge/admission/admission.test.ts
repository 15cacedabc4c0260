// Who is let in: by lane, by store, and whatever becomes of a request it is counted out once.
import { describe, expect, test } from 'vitest';
import { type AdmittedCall, LoadAdmission, type Place } from '#edge/admission/admission.ts';
import { LatencyFloor } from '#edge/admission/floor.ts';
import { LANES, type LaneName, laneOfRoute } from '#edge/admission/lane.ts';
import { PathIndex } from '#edge/admission/path_index.ts';
import { routes } from '#proto/gen/routes.ts';

const routeOf = (rpc: string) => routes.find((route) => route.rpc === rpc)!;
const placeOf = (admission: LoadAdmission, rpc: string): Place => admission.placeOf(routeOf(rpc))!;

/** As many as are let in, of those who ask at once. */
const crowd = (admission: LoadAdmission, place: Place, store: string, count: number): AdmittedCall[] => {
  const entries: AdmittedCall[] = [];
  for (let n = 0; n < count; n++)
    if (admission.refusal(place, store) === null) entries.push(admission.enter(place, store, 0));
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
    const write = placeOf(admission, 'Cart/AddItem');
    expect(crowd(admission, write, 'a', 5_000)).toHaveLength(LANES.write.max);
    expect(admission.refusal(write, 'a')).toMatchObject({ code: 'service_unavailable' });
    expect(admission.refusal(placeOf(admission, 'Order/CreateOrder'), 'a')).toBeNull();
    expect(admission.refusal(placeOf(admission, 'Catalog/GetProduct'), 'a')).toBeNull();
  });
});

describe('a loud store', () => {
  test('fills a lane by itself, and shuts out none that has less than its share', () => {
    const admission = new LoadAdmission(routes);
    const place = placeOf(admission, 'Cart/AddItem');
    const loud = crowd(admission, place, 'loud', 5_000);
    expect(loud).toHaveLength(LANES.write.max);
    const quiet = crowd(admission, place, 'quiet', 100);
    expect(quiet).toHaveLength(100);
    expect(admission.refusal(place, 'loud')).not.toBeNull();
    // All together have at most twice the limit, however many stores come.
    for (let n = 0; n < 5_000; n++) crowd(admission, place, `store ${n}`, 5);
    expect(admission.lanes.write.limit.inFlight).toBeLessThanOrEqual(2 * LANES.write.max);
  });

  test('has the whole lane again once the others are gone', () => {
    const admission = new LoadAdmission(routes);
    const place = placeOf(admission, 'Cart/AddItem');
    const entries = ['a', 'b', 'c'].flatMap((store) => crowd(admission, place, store, 200));
    for (const entry of entries) {
      entry.answered(1);
      entry.abandoned();
    }
    expect(admission.lanes.write.limit.inFlight).toBe(0);
    expect(crowd(admission, place, 'a', 5_000)).toHaveLength(LANES.write.max);
  });
});

test('a request line is found as the router finds it', () => {
  const index = new PathIndex<string>();
  for (const { verb, path, rpc } of routes) index.add(verb, path, rpc);
  for (const { verb, path, rpc } of routes) {
    const target = path.replace(/:\w+/g, 'x-1');
    expect(index.find(verb, `${target}?limit=2`)).toBe(rpc);
  }
  expect(index.find('HEAD', '/v1/products')).toBe('Catalog/ListProducts');
  expect(index.find('GET', '/v1/nothing')).toBeNull();
  expect(index.find('PATCH', '/v1/products')).toBeNull();
  expect(index.find('GET', 'http://x/v1/products')).toBeNull();
});

test('a floor is the least of late, and rises slowly', () => {
  const floor = new LatencyFloor();
  expect(floor.ms).toBe(0);
  for (let now = 0; now < 30_000; now += 100) floor.note(now, now === 5_000 ? 2 : 8);
  expect(floor.ms).toBe(2);
  const seen: number[] = [];
  for (let now = 30_000; now < 300_000; now += 100) {
    floor.note(now, 8);
    if (seen.at(-1) !== floor.ms) seen.push(floor.ms);
  }
  expect(seen[0]).toBe(2);
  expect(seen[1]).toBe(2.5);
  expect(seen.at(-1)).toBe(8);
});
