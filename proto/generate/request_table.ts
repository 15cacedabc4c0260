// Writes the table of requests: every rpc by its name, with the schema that its requests are checked by.
import type { Contract } from './contract.ts';
import { heading, nameOf } from './direction.ts';

export const requestTableOf = ({ files }: Contract): string => {
  const rpcs = files.flatMap(({ services }) => services.flatMap((service) => service.rpcs));
  const used = new Set(rpcs.map(({ request }) => request.file));
  return `${[
    heading('stoa/v1/*.proto'),
    "import type { TSchema } from '@sinclair/typebox';",
    ...files.filter(({ name }) => used.has(name)).map(({ name }) => `import * as ${name} from './${name}.schema.ts';`),
    '',
    'export const requests: Readonly<Record<string, TSchema>> = {',
    ...rpcs.map(({ service, name, request }) => `  '${service}/${name}': ${request.file}.${nameOf(request, 'input')},`),
    '};',
  ].join('\n')}\n`;
};
