// A stand-in for an embedding service with OpenAI's interface: vectors by topic.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Words of one topic share an axis. */
const AXES: readonly RegExp[] = [
  /sneaker|trainer|shoe/i,
  /sofa|couch|settee/i,
  /lamp|light/i,
  /kettle|teapot/i,
  /bag|rucksack|backpack/i,
];

export const vectorOf = (text: string): number[] => [
  ...AXES.map((axis) => (axis.test(text) ? 1 : 0)),
  0.05 + (text.length % 7) / 200,
];

export interface Asked {
  readonly model: string;
  readonly input: readonly string[];
  readonly authorization: string | undefined;
  readonly path: string | undefined;
}

export type Behaviour = 'answer' | 'fail' | 'hang' | 'lie';

export interface StandIn {
  readonly url: string;
  readonly asked: Asked[];
  behaviour: Behaviour;
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

export const openStandIn = async (): Promise<StandIn> => {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { model, input } = JSON.parse(await bodyOf(request)) as { model: string; input: string[] };
    asked.push({ model, input, authorization: request.headers.authorization, path: request.url });
    if (standIn.behaviour === 'hang') return;
    response.setHeader('Content-Type', 'application/json');
    response.statusCode = standIn.behaviour === 'fail' ? 500 : 200;
    if (standIn.behaviour === 'fail') return response.end('{"error":{"message":"no"}}');
    const embedding = (text: string): unknown => (standIn.behaviour === 'lie' ? [1, 'two'] : vectorOf(text));
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embedding(text) }));
    // The order is not specified.
    response.end(JSON.stringify({ object: 'list', model, data: data.reverse() }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    behaviour: 'answer',
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
  return standIn;
};
