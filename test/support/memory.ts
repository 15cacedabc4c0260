// Finds maps and sets by text that outlive the call that made them, and so remember values across tenants.
import { parseAst } from 'vitest/node';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const COLLECTIONS: readonly unknown[] = ['Map', 'Set', 'RecentMap', 'LookupCache'];
const FUNCTIONS: readonly string[] = ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'];
const CALLS: readonly string[] = ['CallExpression', 'NewExpression'];

/** Whether the type's first argument, or that of the created object, is `string`: `Map<string, …>`, `new Set<string>()`. */
const isByText = (value: unknown): boolean => {
  if (!isNode(value)) return false;
  if (value.type === 'TSTypeAnnotation') return isByText(value.typeAnnotation);
  const named = (value.typeName ?? value.callee) as Node | undefined;
  const [key] = ((value.typeArguments as Node | null)?.params ?? []) as Node[];
  return COLLECTIONS.includes(named?.name) && key?.type === 'TSStringKeyword';
};

const nameOf = (value: unknown): string => (isNode(value) ? ((value.name as string | undefined) ?? '') : '');

/** Whether a function other than a call's callback uses the name: it may run long after the outer one has ended. */
const isCaptured = (body: Node, name: string): boolean => {
  const seek = (node: Node, captured: boolean): boolean => {
    if (captured && node.type === 'Identifier' && node.name === name) return true;
    return childrenOf(node).some((child) => {
      const isCallback = CALLS.includes(node.type) && (node.arguments as unknown[]).includes(child);
      return seek(child, captured || (FUNCTIONS.includes(child.type) && !isCallback));
    });
  };
  return childrenOf(body).some((child) => seek(child, false));
};

/** The names of those that a file declares: fields, constants of the file, and constants that a factory's functions share. */
export const persistentTextCollections = (text: string): readonly string[] => {
  const found: string[] = [];
  const walk = (node: Node, body: Node | null): void => {
    if (node.type === 'PropertyDefinition' && (isByText(node.value) || isByText(node.typeAnnotation)))
      found.push(nameOf(node.key));
    if (node.type === 'VariableDeclarator') {
      const id = node.id as Node;
      const name = nameOf(id);
      const outlives = body === null || isCaptured(body, name);
      if (outlives && (isByText(node.init) || isByText(id.typeAnnotation))) found.push(name);
    }
    const inner = FUNCTIONS.includes(node.type) ? (node.body as Node) : body;
    for (const child of childrenOf(node)) walk(child, inner);
  };
  walk(parseAst(text, { lang: 'ts' }) as unknown as Node, null);
  return found;
};

/** Why some need no tenant in their keys, and which: by file and name. The list may only shrink. */
export const NO_TENANT_NEEDED: Readonly<Record<string, readonly string[]>> = {
  'all of it is one tenant’s, or one call’s': [
    'edge/nearest.ts known',
    'edge/pages/storefront/answer.ts asked',
    'edge/pages/storefront/answer.ts fresh',
    'edge/pages/storefront/answer.ts problems',
    'edge/pages/storefront/answer.ts values',
    'services/catalog/category_finder.ts byId',
    'services/catalog/category_finder.ts byName',
    'services/catalog/document.ts taken',
    'services/catalog/ingestion/text_row.ts collected',
    'services/catalog/memory/catalogue.ts bySlug',
    'services/catalog/memory/catalogue.ts categories',
    'services/catalog/memory/catalogue.ts collections',
    'services/catalog/memory/catalogue.ts categoryTexts',
    'services/catalog/memory/catalogue.ts products',
    'services/catalog/memory/catalogue.ts changed',
    'services/catalog/memory/catalogue.ts texts',
    'services/catalog/memory/catalogue.ts variants',
    'services/catalog/memory/field_cut.ts sets',
    'services/catalog/memory/price_board.ts byVariant',
    'services/catalog/memory/price_board.ts prices',
    'services/catalog/product_batch.ts byId',
    'services/catalog/product_batch.ts changed',
    'services/catalog/product_batch.ts owners',
    'services/cli/import/field.ts lossByText',
    'services/cli/import/google.ts read',
    'services/cli/import/rule.ts owners',
    'services/ledger/posting.ts entries',
    'services/pricing/rule_cache.ts tables',
    'services/pricing/tax.ts plans',
    'services/pricing/variant_cache.ts texts',
    'services/search/engine/attribute.ts columns',
    'services/search/engine/attribute.ts names',
    'services/search/engine/dictionary.ts codes',
    'services/search/marketplace/merchant_index.ts categoryNames',
    'services/search/marketplace/merchant_index.ts feeds',
    'services/search/marketplace/merchant_search.ts shown',
    'services/search/semantic/embedded.ts waiting',
    'services/search/search_store.ts categoryNames',
    'services/shipping/config.ts seen',
    'services/shipping/postcode.ts zones',
  ],
  'what the process itself has: rpcs, kinds, metrics, hosts, routes, tables of its code': [
    'edge/not_found.ts patterns',
    'services/cli/local/apt_source.ts fields',
    'services/runtime/actor/address.ts kinds',
    'services/runtime/actor/peer.ts wires',
    'services/runtime/actor/placement.ts others',
    'services/runtime/grpc/grpc.ts services',
    'services/runtime/host/host.ts handlers',
    'services/runtime/job/runner.ts queues',
    'services/runtime/nats/notice.ts awaited',
    'services/runtime/process/latency.ts series',
    'services/runtime/process/metric.ts reads',
    'services/runtime/process/metric.ts rpcSeries',
    'services/runtime/process/throttled_log.ts kinds',
    'services/search/text/unit.ts UNITS',
    'services/shipping/geocode/gazetteer.ts byCountry',
    'services/shipping/geocode/gazetteer.ts lastByName',
    'services/shipping/geocode/gazetteer.ts texts',
    'services/shipping/geocode/region.ts known',
    'services/values/state.ts known',
  ],
  'the value depends on the key alone: a width, a vector, a place, a document of the internet': [
    'edge/compression.ts codingByHeader',
    'services/assistant/platform.ts profiles',
    'services/b2b/pdf/canvas.ts layoutCache',
    'services/b2b/pdf/canvas.ts widths',
    'services/customer/public_key.ts sets',
    'services/payment/provider/token.ts tokens',
    'services/search/semantic/embedded.ts cache',
    'services/shipping/geocode/nominatim.ts cache',
    'services/values/zone.ts formats',
  ],
  'keys are API keys, or ids that the house draws at random': [
    'edge/gates/principal.ts cache',
    'edge/key_use.ts keys',
    'services/store/cache.ts keys',
    'services/channel/attempt.ts cursors',
    'services/order/follow_up.ts inFlight',
    'services/order/follow_up.ts done',
    'services/webhook/capacity.ts running',
    'services/webhook/capacity.ts slow',
    'services/webhook/dispatcher.ts freed',
    'services/webhook/dispatcher.ts full',
  ],
  'keys are stores, or their names in addresses: of both environments, or what tells the environment': [
    'edge/admission/share.ts loads',
    'edge/assistant/assistant_store.ts cache',
    'edge/gates/throttle.ts callers',
    'services/commerce/selling_merchant.ts cache',
    'services/commerce/store_profile.ts cache',
    'services/runtime/flow/lookup_cache.ts keysByOwner',
    'services/store/cache.ts stores',
  ],
  'keys hold the tenant behind a kind, or are led by a `scope` of the edge, which it leads': [
    'edge/gates/cache.ts entries',
    'services/runtime/actor/mailbox.ts actors',
    'services/runtime/actor/tail.ts actors',
    'services/runtime/actor/tail.ts parts',
    'services/runtime/host/host.ts counts',
    'services/runtime/link/decode.ts knownCallers',
  ],
};
