// Reads the contract from the descriptors of proto files, and says all that is wrong with it at once.
import type { DescFile, DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import {
  type Complain,
  type Contract,
  commentOf,
  type EndpointShape,
  type MessageShape,
  PACKAGE,
  type ProtoFile,
  type Rpc,
  type Service,
  type Webhook,
} from './contract.ts';
import { endpointReader } from './endpoint.ts';
import { fieldReader } from './field.ts';
import { optionReader, type ReadOption } from './option.ts';

/** Reads the contract; throws one error that names every mistake in it. */
export const readContract = (allFiles: readonly DescFile[]): Contract => {
  const option = optionReader(allFiles);
  const complaints: string[] = [];
  const complain: Complain = (where, sentence) => {
    complaints.push(`${where}: ${sentence}`);
  };

  const ours = allFiles.filter((file) => file.proto.package === PACKAGE);
  const messages = readMessages(ours, option, complain);
  const endpoints: EndpointShape[] = [];
  const readEndpoint = endpointReader(option, complain);

  const files = ours.map((file): ProtoFile => {
    const name = fileName(file);
    const services = file.services.map((service): Service => {
      const internal = option(service, 'stoa.internal') === true;
      const rpcs: Rpc[] = [];
      for (const method of service.methods) {
        const rpc = readRpc(service, method, messages);
        if (rpc) {
          mark(rpc.request, 'input');
          mark(rpc.response, 'output');
          rpcs.push(rpc);
        }
        const endpoint = readEndpoint(method, rpc, {
          internal,
          storeOnly: option(service, 'stoa.store_only') === true,
        });
        if (endpoint) endpoints.push(endpoint);
      }
      return { name: service.name, comment: commentOf(service), internal, rpcs };
    });
    const own = [...messages.values()].filter((message) => message.file === name);
    return { name, source: `${file.name}.proto`, messages: inOrder(own, complain), services };
  });
  for (const message of messages.values()) if (!message.input && !message.output) mark(message, 'output');
  refuseDoubles(endpoints, complain);
  refuseTakenNames([...messages.values()], complain);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  return { files, endpoints: endpoints.sort(byPathAndVerb) };
};

const fileName = (file: DescFile): string => file.name.slice(file.name.lastIndexOf('/') + 1);

type Messages = ReadonlyMap<string, MessageShape>;

const nested = (message: DescMessage): DescMessage[] => [message, ...message.nestedMessages.flatMap(nested)];

const readMessages = (files: readonly DescFile[], option: ReadOption, complain: Complain): Messages => {
  const messages = new Map<string, MessageShape>();
  const descriptors = files.flatMap((file) => file.messages).flatMap(nested);
  for (const desc of descriptors) {
    const name = desc.typeName.slice(PACKAGE.length + 1).replaceAll('.', '');
    if ([...messages.values()].some((other) => other.name === name))
      complain(desc, `a second message is named ${name}.`);
    const message = {
      name,
      comment: commentOf(desc),
      file: fileName(desc.file),
      input: false,
      output: false,
      fields: [],
      oneOf: readAlternatives(option(desc, 'stoa.one_of')),
      anyOf: readAlternatives(option(desc, 'stoa.any_of')),
      webhooks: (option(desc, 'stoa.webhook') ?? []) as Webhook[],
    };
    messages.set(desc.typeName, message);
  }
  const readField = fieldReader(option, messages, complain);
  for (const desc of descriptors) {
    const message = messages.get(desc.typeName)!;
    message.fields = desc.fields.flatMap(readField);
    for (const name of [...message.oneOf, ...message.anyOf].flat())
      if (!message.fields.some((field) => field.name === name)) complain(desc, `has no field ${name} to choose.`);
  }
  return messages;
};

const readAlternatives = (alternatives: unknown): string[][] =>
  ((alternatives ?? []) as { readonly field?: string[] }[]).map(({ field = [] }) => field);

/** Undefined for a stream, whose frames are the link's own matter. */
const readRpc = (service: DescService, method: DescMethod, messages: Messages): Rpc | undefined => {
  const request = messages.get(method.input.typeName);
  const response = messages.get(method.output.typeName);
  if (method.methodKind !== 'unary' || !request || !response) return undefined;
  return { service: service.name, name: method.name, comment: commentOf(method), request, response };
};

const mark = (message: MessageShape, use: 'input' | 'output'): void => {
  if (message[use]) return;
  message[use] = true;
  for (const { shape } of message.fields) if (shape.kind === 'message') mark(shape.message, use);
};

/** Schemas are constants that name each other, so a message comes after its parts and may not hold itself. */
const inOrder = (messages: readonly MessageShape[], complain: Complain): MessageShape[] => {
  const done = new Set<MessageShape>();
  const visit = (message: MessageShape, above: readonly MessageShape[]): void => {
    if (done.has(message)) return;
    if (above.includes(message)) {
      complain(message.name, 'holds itself; such a message is not supported.');
      return;
    }
    for (const { shape } of message.fields) if (shape.kind === 'message') visit(shape.message, [...above, message]);
    done.add(message);
  };
  for (const message of messages) visit(message, []);
  return [...done].filter((message) => messages.includes(message));
};

const refuseDoubles = (endpoints: readonly EndpointShape[], complain: Complain): void => {
  const seen = new Map<string, EndpointShape>();
  for (const endpoint of endpoints) {
    const key = `${endpoint.verb} ${endpoint.path.replace(/\{[^}]*\}/g, '{}')}`;
    const other = seen.get(key);
    if (other) {
      const names = [other, endpoint].map(({ rpc }) => `${rpc.service}/${rpc.name}`);
      complain(`${endpoint.verb} ${endpoint.path}`, `is taken twice, by ${names.join(' and ')}.`);
    }
    seen.set(key, endpoint);
  }
};

/** `X` that is read and shown becomes `XInput` and `X`: no other message may be called so. */
const refuseTakenNames = (messages: readonly MessageShape[], complain: Complain): void => {
  const names = new Set(messages.map((message) => message.name));
  for (const { name, input, output } of messages) {
    if (input && output && names.has(`${name}Input`)) {
      complain(name, `is both read and shown, so ${name}Input is made from it; another message has that name.`);
    }
  }
};

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const byPathAndVerb = (a: EndpointShape, b: EndpointShape): number =>
  a.path === b.path ? VERBS.indexOf(a.verb) - VERBS.indexOf(b.verb) : a.path < b.path ? -1 : 1;
