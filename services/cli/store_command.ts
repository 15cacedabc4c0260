// `stoa store …`: creates stores and changes their plans and limits.
import { defineCommand } from 'citty';
import type { PlanResponse, SetPlanRequest } from '#proto/gen/store_admin.ts';
import { administer, columns, define, JSON_OPTION, print, STORE_OPTION, wholeNumber } from './command.ts';
import { createStore, type StoreAccess } from './store_access.ts';

const PLANS: SetPlanRequest['plan'][] = ['trial', 'starter', 'growth', 'premium', 'enterprise'];
const PLAN_OPTION = { type: 'enum' as const, options: PLANS, description: `One of ${PLANS.join(', ')}` };

const create = define({
  name: 'create',
  description: 'Creates a store and prints its keys, which are shown once',
  args: {
    name: { type: 'string', description: "The store's name", required: true },
    currency: { type: 'string', description: 'The store’s currency, an ISO 4217 code such as USD', required: true },
    country: { type: 'string', description: 'The store’s country, an ISO 3166 code such as KE' },
    plan: { ...PLAN_OPTION, description: `${PLAN_OPTION.description}; starter by default` },
    wholesale: { type: 'boolean', description: 'Makes it a wholesale store, which sells to businesses' },
    json: JSON_OPTION,
  },
  run: async ({ name, currency, country, plan, wholesale, json }) => {
    const access = await administer((admin, baseUrl) =>
      createStore(admin, baseUrl, {
        name,
        currency,
        ...(country !== undefined && { country }),
        ...(plan !== undefined && { plan }),
        ...(wholesale && { wholesale }),
      }),
    );
    print(json, access, () => introduction(name, access));
  },
});

const introduction = (name: string, access: StoreAccess): string => {
  const { base_url, store_id, code, ...keys } = access;
  return [
    `${name} is created: store ${store_id}, code ${code}. Save these keys; they are not shown again:`,
    columns(keys),
    'A first request:',
    `  curl -H 'Authorization: Bearer ${access.publishable_key}' ${base_url}/v1/store`,
  ].join('\n');
};

const LIMITS = ['key_hour', 'key_day', 'network_hour', 'month'] as const;

const planSentence = ({ store_id, plan, trial, lapsed, limits }: PlanResponse): string => {
  return [
    `Store ${store_id} is on ${trial ? `a trial of ${plan}` : plan}${lapsed ? ', and its subscription has lapsed' : ''}. Its limits:`,
    columns(Object.fromEntries(LIMITS.map((name) => [name, limits[name] ?? 'not metered']))),
  ].join('\n');
};

const setPlan = define({
  name: 'set-plan',
  description: 'Puts a store on a plan and restores a lapsed subscription',
  args: {
    store: STORE_OPTION,
    plan: { ...PLAN_OPTION, required: true },
    trial: { type: 'boolean', description: 'Makes it a trial of the plan' },
    json: JSON_OPTION,
  },
  run: async ({ store, plan, trial, json }) => {
    const after = await administer((admin) => admin.call('SetPlan', { store, plan, ...(trial && { trial }) }));
    print(json, after, () => planSentence(after));
  },
});

const END_SUBSCRIPTION = 'lapse';
const endSubscription = define({
  name: END_SUBSCRIPTION,
  description: "Ends a store's subscription; set-plan restores it",
  args: { store: STORE_OPTION, json: JSON_OPTION },
  run: async ({ store, json }) => {
    const after = await administer((admin) => admin.call('SetLapsed', { store, lapsed: true }));
    print(json, after, () => planSentence(after));
  },
});

const LIMIT = { type: 'string', valueHint: 'number' } as const;
const limits = define({
  name: 'limits',
  description: "Overrides the plan's limits for one store; 0 meters nothing",
  args: {
    store: STORE_OPTION,
    'key-hour': { ...LIMIT, description: 'Requests an API key may make in an hour' },
    'key-day': { ...LIMIT, description: 'Requests an API key may make in a day' },
    'network-hour': { ...LIMIT, description: "Requests a shopper's network may make in an hour" },
    month: { ...LIMIT, description: 'Requests the store may make in a month' },
    json: JSON_OPTION,
  },
  run: async (args) => {
    const given = {
      key_hour: wholeNumber(args['key-hour'], 'key-hour'),
      key_day: wholeNumber(args['key-day'], 'key-day'),
      network_hour: wholeNumber(args['network-hour'], 'network-hour'),
      month: wholeNumber(args.month, 'month'),
    };
    const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const after = await administer((admin) => admin.call('SetLimits', { store: args.store, ...named }));
    print(args.json, after, () => planSentence(after));
  },
});

export const store = defineCommand({
  meta: { name: 'store', description: 'Creates stores and changes their plans and limits' },
  subCommands: { create, 'set-plan': setPlan, [END_SUBSCRIPTION]: endSubscription, limits },
});
