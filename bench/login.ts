// Measures browsing during a flood of logins: the catalogue's latencies under a steady load, alone and with more logins than
// can be hashed, interleaved.
import { median, print, round } from './figure.ts';
import { fillStore } from './filled_store.ts';
import { getRequest, postRequest } from './load.ts';
import { type OpenLoadResult, openLoad } from './open_load.ts';
import { bearer, Dice, prepared, SUCCESS } from './scenario/scenario.ts';
import { startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 8);
const DURATION_MS = Number(process.env.DURATION_MS ?? 4_000);
/** A rate far below the edge's capacity, so that latency is waiting, not work. */
const READS_PER_SECOND = Number(process.env.READS ?? 400);
/** About twice what two cores can hash. */
const LOGINS_PER_SECOND = Number(process.env.LOGINS ?? 150);
/** Time to hash the flood's last logins before a login is measured alone. */
const SETTLE_MS = 2_500;
const PRODUCTS = 2_000;
const READERS = 64;
const GUESSERS = 256;
const CUSTOMERS = 20;
const GUESSES = 5_000;
const PASSWORD = 'correct horse battery';
/** Let in, turned away, too many for one account, shed. */
const ANY_ANSWER = new Set([200, 401, 429, 503]);

/** An own address for each shopper, so that none meets its limit. */
let shoppers = 0;
const address = (): string =>
  `2001:db8::${((++shoppers >> 16) & 0xffff).toString(16)}:${(shoppers & 0xffff).toString(16)}`;

const stack = await startStack();
try {
  const edge = await stack.startEdge(128);
  const filled = await fillStore(stack, edge, PRODUCTS);
  const { store } = filled;
  const target = { host: '127.0.0.1', port: Number(new URL(edge.url).port) };
  const emails = Array.from({ length: CUSTOMERS }, (_, at) => `shopper${at}@example.com`);
  for (const email of emails) {
    const { status } = await fetch(`${edge.url}/v1/auth/register`, {
      method: 'POST',
      headers: { ...bearer(store.secret_key), 'X-Shopper-IP': address(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    if (status !== 201) throw new Error(`A customer could not register: ${status}.`);
  }

  const dice = new Dice(3);
  const read = prepared(GUESSES, () =>
    getRequest(
      dice.below(2)
        ? `/v1/products/${dice.popular(filled.productIds)}`
        : `/v1/products?limit=20&min_price=${dice.below(50)}`,
      bearer(store.publishable_key),
    ),
  );
  const guess = (): Buffer => {
    const known = dice.below(2) === 0;
    const body = known
      ? { email: dice.pick(emails), password: PASSWORD }
      : { email: `nobody${dice.below(1_000_000)}@example.com`, password: 'guess' };
    const headers = { ...bearer(store.secret_key), 'X-Shopper-IP': address() };
    return postRequest('/v1/auth/login', headers, JSON.stringify(body));
  };
  const look = (): Promise<OpenLoadResult> =>
    openLoad({
      target,
      connections: READERS,
      perSecond: READS_PER_SECOND,
      durationMs: DURATION_MS,
      next: read,
      expected: SUCCESS,
    });
  const flood = (): Promise<OpenLoadResult> =>
    openLoad({
      target,
      connections: GUESSERS,
      perSecond: LOGINS_PER_SECOND,
      durationMs: DURATION_MS,
      next: guess,
      expected: ANY_ANSWER,
    });

  const alone: OpenLoadResult[] = [];
  const flooded: OpenLoadResult[] = [];
  const floods: OpenLoadResult[] = [];
  const quiet = async (): Promise<void> => {
    alone.push(await look());
  };
  const crowded = async (): Promise<void> => {
    const [during, logins] = await Promise.all([look(), flood()]);
    flooded.push(during);
    floods.push(logins);
    await Bun.sleep(SETTLE_MS);
  };
  for (let repetition = 0; repetition <= ROUNDS; repetition++) {
    // Either comes first as often as the other.
    for (const measure of repetition % 2 === 0 ? [quiet, crowded] : [crowded, quiet]) await measure();
    // The first round warms up.
    if (repetition === 0) for (const results of [alone, flooded, floods]) results.length = 0;
  }
  const of = (results: readonly OpenLoadResult[], name: keyof OpenLoadResult): number =>
    median(results.map((result) => result[name]));
  print({
    bench: 'login',
    case: 'a flood of logins beside the catalogue',
    reads_per_s: READS_PER_SECOND,
    logins_offered_per_s: LOGINS_PER_SECOND,
    logins_answered_per_s: round(of(floods, 'perSecond')),
    p50_ms_alone: round(of(alone, 'p50Ms')),
    p50_ms_flooded: round(of(flooded, 'p50Ms')),
    p99_ms_alone: round(of(alone, 'p99Ms')),
    p99_ms_flooded: round(of(flooded, 'p99Ms')),
    p99_ratio: round(of(flooded, 'p99Ms') / of(alone, 'p99Ms')),
    asked: 1.5,
    unexpected: [...alone, ...flooded, ...floods].reduce((sum, { unexpected }) => sum + unexpected, 0),
  });
} finally {
  await stack.stop();
}
