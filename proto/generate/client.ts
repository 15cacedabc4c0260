// Writes the TypeScript client's generated part: types, and the resources that each kind of key opens.
import { clientEndpoints, clientTypesOf } from './client_message.ts';
import { placeOf } from './client_name.ts';
import { clientResourcesOf } from './client_resource.ts';
import type { Contract, EndpointShape } from './contract.ts';
import { heading } from './direction.ts';

export interface ClientFile {
  readonly name: string;
  readonly text: string;
}

export const clientOf = (contract: Contract): ClientFile[] => {
  const endpoints = clientEndpoints(contract);
  const opened = (...keys: EndpointShape['access']['key'][]): EndpointShape[] =>
    endpoints.filter(({ access }) => keys.includes(access.key));
  const storefront = opened('none', 'publishable').filter((endpoint) => !isStaffSession(endpoint));
  return [
    { name: 'client/message.ts', text: clientTypesOf(contract) },
    { name: 'client/storefront.ts', text: clientResourcesOf('Storefront', storefront) },
    { name: 'client/server.ts', text: clientResourcesOf('Server', opened('secret', 'secret_test')) },
    {
      name: 'client/operator.ts',
      text: clientResourcesOf(
        'Operator',
        endpoints.filter(({ access }) => access.operator || (access.merchant && access.key === 'secret')),
      ),
    },
    { name: 'client/staff_session.ts', text: clientResourcesOf('StaffSession', endpoints.filter(isStaffSession)) },
    { name: 'client/merchant.ts', text: merchantOf(storefront) },
  ];
};

/** Whether the endpoint belongs to the sign-in of a store's staff, which no storefront offers. */
const isStaffSession = ({ rpc }: EndpointShape): boolean => rpc.service === 'StaffSession';

/**
 * The methods that an operator's key opens for one of its merchants: those of a publishable key, but for whole resources.
 */
const merchantOf = (storefront: readonly EndpointShape[]): string => {
  const closed = storefront.filter(({ access }) => access.key !== 'none' && !access.merchant);
  const names = new Set(closed.map((endpoint) => JSON.stringify(placeOf(endpoint).resource[0])));
  return `${[
    heading('stoa/v1/*.proto'),
    '',
    "/** Resources of a storefront that an operator's key does not open. */",
    `export type StoreOnly = ${[...names].sort().join(' | ') || 'never'};`,
  ].join('\n')}\n`;
};
