// The plug-in that buf runs: descriptors in, our generated files out.
import { createEcmaScriptPlugin, runNodeJs } from '@bufbuild/protoplugin';
import { auditTableOf } from './audit_table.ts';
import { clientOf } from './client.ts';
import { clientMessages } from './client_message.ts';
import { eventMapOf } from './event_map.ts';
import { eventTypesOf } from './event_table.ts';
import { mediaTableOf } from './media_table.ts';
import { openapiOf } from './openapi.ts';
import { readContract } from './reader.ts';
import { readingTableOf } from './reading_table.ts';
import { requestTableOf } from './request_table.ts';
import { routeTableOf } from './route_table.ts';
import { rpcMapOf } from './rpc_map.ts';
import { typeboxOf } from './typebox.ts';
import { typescriptOf } from './typescript.ts';

runNodeJs(
  createEcmaScriptPlugin({
    name: 'stoa',
    version: 'v1',
    generateTs: (schema) => {
      const contract = readContract(schema.allFiles);
      const write = (name: string, text: string): void => schema.generateFile(name).print(text.trimEnd());
      const forClients = clientMessages(contract);
      for (const file of contract.files) {
        write(`${file.name}.ts`, typescriptOf(file, forClients));
        write(`${file.name}.schema.ts`, typeboxOf(file));
      }
      write('routes.ts', routeTableOf(contract));
      write('requests.ts', requestTableOf(contract));
      write('media_field.ts', mediaTableOf(contract));
      write('reading.ts', readingTableOf(contract));
      write('auditing.ts', auditTableOf(contract));
      write('rpcs.ts', rpcMapOf(contract));
      write('openapi.ts', openapiOf(contract));
      write('event_map.ts', eventMapOf(contract));
      write('event_table.ts', eventTypesOf(contract));
      for (const { name, text } of clientOf(contract)) write(name, text);
    },
  }),
);
