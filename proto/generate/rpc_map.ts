// Writes the map of all rpcs: name to request and response, so that a call in the house is checked by the compiler.
import type { Contract } from './contract.ts';
import { heading } from './direction.ts';

export const rpcMapOf = ({ files }: Contract): string => {
  const serving = files
    .map(({ name, services }) => ({ name, services: services.filter(({ rpcs }) => rpcs.length > 0) }))
    .filter(({ services }) => services.length > 0);
  return `${[
    heading('stoa/v1/*.proto'),
    ...serving.map(
      ({ name, services }) =>
        `import type { ${services
          .map((service) => `${service.name}Rpcs`)
          .sort()
          .join(', ')} } from './${name}.ts';`,
    ),
    '',
    '/** Every rpc by the name that calls it, with its request and its response. */',
    'export interface Rpcs {',
    ...serving.flatMap(({ services }) =>
      services.flatMap(({ name, rpcs }) => rpcs.map((rpc) => `  '${name}/${rpc.name}': ${name}Rpcs['${rpc.name}'];`)),
    ),
    '}',
    '',
    'export type RpcName = keyof Rpcs;',
    "export type RpcRequest<R extends RpcName> = Rpcs[R]['request'];",
    "export type RpcResponse<R extends RpcName> = Rpcs[R]['response'];",
  ].join('\n')}\n`;
};
