// An edge process as in production, that beside its endpoints answers a constant of any size: the reference.
import { Elysia } from 'elysia';
import { startEdge } from '#edge/edge.ts';
import { edgeEnvironment } from '#edge/environment.ts';
import { connectLinks } from '#runtime/link/client.ts';
import { createLog } from '#runtime/log.ts';

const environment = edgeEnvironment(process.env);
const log = createLog({ name: 'bench-edge', level: 'warn' });
const wire = connectLinks({ addresses: environment.linkAddresses, token: environment.linkToken, log });

const constants = new Map<string, Uint8Array>();
const constantOf = (bytes: string): Uint8Array => {
  let constant = constants.get(bytes);
  if (!constant) {
    constant = new TextEncoder().encode(JSON.stringify({ constant: 'x'.repeat(Math.max(0, Number(bytes) - 15)) }));
    constants.set(bytes, constant);
  }
  return constant;
};

const reference = new Elysia().get(
  '/bench/constant/:bytes',
  ({ params }) => new Response(constantOf(params.bytes) as never, { headers: { 'Content-Type': 'application/json' } }),
);

const { url } = startEdge({ ...environment, wire, redis: null, log, beside: reference });
process.stdout.write(`${url}\n`);
