// The OpenAPI document as a whole: valid, complete, told in words and examples that are true.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type TSchema, Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { STATUS } from '#edge/gates/refusal.ts';
import { openapiDocument } from '#proto/document.ts';
import { examples } from '#proto/gen/openapi.ts';
import { routes } from '#proto/gen/routes.ts';
import { explain } from '#proto/validate.ts';
import { hasAvoidedWord } from '#test/support/word.ts';

const document = openapiDocument('https://api.example.com');

interface Problem {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

/** Faults by Redocly's recommended rules, which check every example against its schema, too. */
const lint = (): readonly Problem[] => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-lint-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const { stdout, stderr } = spawnSync(
      'node',
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--format=json', '--max-problems=1000', file],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    if (!stdout.startsWith('{')) throw new Error(`Redocly does not answer: ${stdout}${stderr}`);
    return (JSON.parse(stdout) as { problems: Problem[] }).problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Calls back with each text below a member of one of these names, and where it stands. */
const eachText = (names: readonly string[], hear: (text: string, where: string) => void): void => {
  const walk = (value: unknown, where: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (names.includes(name) && typeof inner === 'string') hear(inner, `${where}/${name}`);
      else walk(inner, `${where}/${name}`);
    }
  };
  walk(document, '');
};

/** The example that a part of an operation refers to. */
const exampleIn = (part: unknown): unknown => {
  const name = /"#\/components\/examples\/(\w+)"/.exec(JSON.stringify(part ?? null))?.[1];
  return name === undefined ? undefined : examples[name]?.value;
};

describe('the OpenAPI document', () => {
  it('passes the OpenAPI schema', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toMatchObject({ valid: true });
  });

  it('keeps the recommended rules of Redocly, its examples their schemas', { timeout: 120_000 }, () => {
    const grave = lint().filter(
      ({ ruleId, severity }) =>
        severity === 'error' || /media-type-example|schema-example|security|tag-description/.test(ruleId),
    );
    expect(grave.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('says of every operation and webhook which key it needs, of public ones that it needs none', () => {
    const { paths, webhooks } = document as Record<string, Record<string, Record<string, { security?: unknown[] }>>>;
    const open = [...Object.entries(paths!), ...Object.entries(webhooks!)].flatMap(([path, verbs]) =>
      Object.values(verbs).flatMap(({ security }) => {
        expect(security, path).toBeInstanceOf(Array);
        return security!.length === 0 ? [path] : [];
      }),
    );
    const keyless = routes.filter(({ access }) => access.key === 'none');
    expect(open).toHaveLength(keyless.length + Object.keys(webhooks!).length);
  });

  it('names the staff session, cookie and header together, at every endpoint that takes a key', () => {
    const named = routes.filter(({ operation }) =>
      (operation.security as object[]).some((each) => Object.keys(each).join() === 'StaffSession,DashboardEnvironment'),
    );
    expect(named.map(({ rpc }) => rpc)).toEqual(
      routes.filter(({ access }) => access.key !== 'none').map(({ rpc }) => rpc),
    );
  });

  it('offers values of optional parameters without having them sent', () => {
    const offered = routes.flatMap(({ operation }) => {
      const { parameters } = operation as {
        parameters: { required?: boolean; example?: unknown; examples?: object }[];
      };
      return parameters.filter(({ required }) => !required);
    });
    expect(offered.filter(({ example }) => example !== undefined)).toEqual([]);
    const values = offered.flatMap(({ examples }) => (examples ? [examples] : []));
    expect(values.length).toBeGreaterThan(10);
    for (const value of values) expect(value).toMatchObject({ example: { 'x-disabled': true } });
  });

  it('lists the codes of all errors', () => {
    const { schemas } = document.components as Record<
      string,
      Record<string, { properties: { code: { enum: string[] } } }>
    >;
    expect([...schemas!.ErrorDetail!.properties.code.enum].sort()).toEqual(Object.keys(STATUS).sort());
  });

  it('tells users nothing of what only its makers read', () => {
    const found: string[] = [];
    eachText(['description', 'summary'], (text, where) => {
      if (/\b(contract|specification|TODO)\b/i.test(text) || hasAvoidedWord(text)) found.push(`${where}: ${text}`);
    });
    expect(found).toEqual([]);
  });

  it('fills no example with the name of its field', () => {
    const found: string[] = [];
    const walk = (value: unknown, name: string, where: string): void => {
      if (typeof value === 'string' && value === name) found.push(where);
      if (Array.isArray(value)) for (const each of value) walk(each, name, where);
      else if (typeof value === 'object' && value !== null)
        for (const [inner, each] of Object.entries(value)) walk(each, inner, `${where}.${inner}`);
    };
    for (const [name, { value }] of Object.entries(examples)) walk(value, '', name);
    expect(found).toEqual([]);
  });

  it('shows one thing of a kind by one id', () => {
    const product = examples.Product!.value as { id: string; variant_id: string };
    const { cart } = examples.CartResponse!.value as {
      cart: { items: { product_id: string; variant_id: string }[] };
    };
    expect(cart.items[0]).toMatchObject({ product_id: product.id, variant_id: product.variant_id });
    expect(product.variant_id).not.toBe(product.id);
  });

  it.each([
    ['CreateOrderRequest', 'oneOf', [['items'], ['cart'], ['checkout_intent_id'], ['quote_id']]],
    ['CreateCheckoutIntentRequest', 'oneOf', [['items'], ['quote_id'], ['cart_draft_id']]],
    ['CreateAdjustmentRequest', 'oneOf', [['delta'], ['on_hand']]],
    ['TravelTimeRequest', 'oneOf', [['advance_seconds'], ['to']]],
    ['AddItemRequest', 'anyOf', [['variant_id'], ['product_id']]],
  ])('says which fields %s chooses among', (name, rule, alternatives) => {
    const { schemas } = document.components as Record<string, Record<string, Record<string, { required: string[] }[]>>>;
    expect(schemas![name]![rule]!.map(({ required }) => required)).toEqual(alternatives);
  });

  it('asks for a body wherever a call without one is refused or changes nothing', () => {
    const optional = routes.filter(({ operation }) => {
      const { requestBody } = operation as { requestBody?: { required: boolean } };
      return requestBody?.required === false;
    });
    expect(optional.map(({ rpc }) => rpc).sort()).toEqual([
      'Agent/CancelCheckoutIntent',
      'Auth/Logout',
      'Cart/MergeCart',
      'Catalog/CreateVariant',
      'Dispute/CancelDispute',
      'MailSuppression/CreateBounceAddress',
      'MailTemplate/PreviewMailTemplate',
      'Payment/CapturePayment',
      'Payment/VoidPayment',
      'Recommendation/Recommend',
      'Return/AcceptCredit',
      'Return/CancelReturn',
      'Sandbox/ResetSandbox',
      'Search/SearchProducts',
      'StaffSession/BeginTotp',
      'Webhook/RotateSecret',
      'Webhook/TestEndpoint',
      'WebhookLog/RetryEvent',
      'Wholesale/AcceptQuote',
      'Wholesale/FulfillPurchaseOrder',
      'Wholesale/RejectQuote',
    ]);
  });

  it('introduces itself, and its parts in the order in which a shopper meets them', () => {
    const { description } = document.info as { description: string };
    expect([...description.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'Keys',
      'Errors',
      'Signing and idempotency',
      'Paging',
      'Limits',
    ]);
    const names = (document.tags as { name: string }[]).map(({ name }) => name);
    const met = ['Catalog', 'Search', 'Cart', 'Shipping', 'Order', 'Payment', 'Inventory', 'Webhook', 'Meta'];
    expect(met.map((name) => names.indexOf(name))).toEqual(
      met.map((name) => names.indexOf(name)).sort((a, b) => a - b),
    );
    expect(names).toEqual(expect.arrayContaining(met));
  });

  it('shows every endpoint once', () => {
    const paths = document.paths as Record<string, Record<string, unknown>>;
    const documented = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
    expect(documented.sort()).toEqual(
      routes.map(({ verb, path }) => `${verb.toLowerCase()} ${path.replace(/:\w+/g, '{}')}`).sort(),
    );
  });

  it('resolves every reference', () => {
    const lost: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { $ref } = value as { $ref?: unknown };
      if (typeof $ref === 'string') {
        const found = $ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
        if (found === undefined) lost.push($ref);
      }
      for (const inner of Object.values(value)) walk(inner);
    };
    walk(document);
    expect(lost).toEqual([]);
  });

  it.each(routes.map((route) => [route.rpc, route] as const))(
    'shows an answer of %s that keeps its schema',
    (_, route) => {
      const answer = exampleIn(route.operation.responses);
      if (route.produces === 'application/json') expect(explain(route.response, answer)).toBeNull();
      else expect(answer).toBeUndefined();
    },
  );

  it.each(routes.filter((route) => exampleIn(route.operation.requestBody)).map((route) => [route.rpc, route] as const))(
    'shows a request of %s that would be accepted',
    (_, route) => {
      const inUrl = [...route.params, ...route.query].map(({ name }) => name);
      const properties = Object.entries(route.request.properties as Record<string, TSchema>);
      const body = Type.Object(Object.fromEntries(properties.filter(([name]) => !inUrl.includes(name))));
      expect(explain(body, exampleIn(route.operation.requestBody))).toBeNull();
    },
  );

  it('names each operation differently', () => {
    const ids = routes.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('serves from the address it is asked at', () =>
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }]));
});
