// Returns the data of the store that every answer to an assistant contains.
import type { AssistantRpcs, AssistantShop, GetShopRequest } from '#proto/gen/assistant.ts';
import { type Call, type Environment, Refusal } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';

const NONE = { mcp: false, acp: false, ucp: false } as const;
const CARDS = 'card_checkout';

export const shopHandlers = ({ ask, askOrThrow }: DomainClient): Pick<Handlers<AssistantRpcs>, 'GetShop'> => {
  const takesCards = async (call: Call, store: string, environment: Environment): Promise<boolean> => {
    const { methods } = await askOrThrow('Payment/ListMethods', { ...asker(call), tenant: { store, environment } }, {});
    return methods.some(({ provider }) => provider === CARDS);
  };

  return {
    GetShop: read<GetShopRequest, AssistantShop>(async (call, { store }) => {
      const profile = await ask('StoreDirectory/GetProfile', call, { store });
      if (profile instanceof Refusal) return profile;
      const tenant = { store: profile.id, environment: 'production' } as const;
      const [{ policies }, { keys }, production, sandbox] = await Promise.all([
        askOrThrow('Store/ListPolicies', { ...asker(call), tenant }, {}),
        askOrThrow('PlatformWebhook/ListSigningKeys', { ...asker(call), tenant }, {}),
        takesCards(call, profile.id, 'production'),
        takesCards(call, profile.id, 'sandbox'),
      ]);
      return {
        id: profile.id,
        code: profile.code,
        name: profile.name,
        description: profile.description,
        logo_url: profile.logo_url,
        website_url: profile.website_url,
        contact_email: profile.contact_email,
        contact_phone: profile.contact_phone,
        currency: profile.currency,
        currencies: profile.currencies.map(({ currency }) => currency),
        country: profile.country,
        tax_inclusive: profile.tax_inclusive,
        agents: profile.lapsed ? NONE : profile.agents,
        domains: profile.domains,
        llms_enabled: profile.feeds.llms_enabled && !profile.trial && !profile.lapsed,
        policies: policies.map(({ type, title }) => ({ type, title })),
        takes_cards_in_production: production,
        takes_cards_in_sandbox: sandbox,
        signing_keys: keys,
        colours: profile.colours,
        open: !profile.lapsed && !profile.wholesale_enabled,
      };
    }),
  };
};

const asker = ({ deadline, requestId, trace }: Call) => ({ deadline, requestId, trace });
