// Serves the store's policies and summary as MCP resources, which clients must treat as data, not as instructions.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

const TITLES = {
  terms: 'Terms of service',
  privacy: 'Privacy policy',
  returns: 'Return policy',
  shipping: 'Shipping policy',
  refund: 'Refund policy',
} as const;

const POLICY = 'The store’s own text, as its buyers read it.';

type Described = Pick<AssistantCall, 'shop' | 'base'>;

const policyUri = (base: string, type: string): string => `${base}/policies/${type}`;
const summaryUri = (base: string): string => `${base}/llms.txt`;

export const resourcesOf = ({ shop, base }: Described): Resource[] => [
  ...shop.policies.map(({ type }) => ({
    uri: policyUri(base, type),
    name: `policy_${type}`,
    title: TITLES[type],
    description: POLICY,
    mimeType: 'text/markdown',
  })),
  ...(shop.llms_enabled
    ? [
        {
          uri: summaryUri(base),
          name: 'llms_txt',
          title: 'The store in brief',
          description: 'Categories, featured products and collections, as the store publishes them.',
          mimeType: 'text/markdown',
        },
      ]
    : []),
];

export const readResource = async (
  { shop, base, core }: Described & Pick<AssistantCall, 'core'>,
  uri: string,
): Promise<string | Refusal> => {
  if (shop.llms_enabled && uri === summaryUri(base)) return core.summary();
  const known = shop.policies.find(({ type }) => policyUri(base, type) === uri);
  if (!known) return notFound('resource', 'uri');
  const found = await core.policy(known.type);
  return found instanceof Refusal ? found : `# ${found.policy.title}\n\n${found.policy.body}\n`;
};
