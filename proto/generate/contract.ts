// The contract as the generator sees it: every message, field and rpc of the proto files, read once and checked.
import type { DescField, DescFile, DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import { getComments } from '@bufbuild/protoplugin';
import { endpointReader } from './endpoint.ts';
import { fieldReader } from './field.ts';
import { optionReader, type ReadOption } from './option.ts';

export interface Contract {
  readonly files: readonly ProtoFile[];
  /** Every endpoint, sorted by path and verb. */
  readonly endpoints: readonly Endpoint[];
}

export interface ProtoFile {
  /** `catalog`, for `stoa/v1/catalog.proto`. */
  readonly name: string;
  readonly source: string;
  /** In an order in which a message stands after those that it holds. */
  readonly messages: readonly Message[];
  readonly services: readonly Service[];
}

export interface Service {
  readonly name: string;
  readonly comment: string;
  readonly internal: boolean;
  readonly rpcs: readonly Rpc[];
}

export interface Rpc {
  readonly service: string;
  readonly name: string;
  readonly comment: string;
  readonly request: Message;
  readonly response: Message;
}

export interface Message {
  readonly name: string;
  readonly comment: string;
  readonly file: string;
  fields: readonly Field[];
  /** Read from callers. A message that is both is generated twice, as `X` and `XInput`. */
  input: boolean;
  /** Shown to callers. */
  output: boolean;
  /** Exactly one of these is given, each some fields that stand together; empty where it has no such rule. */
  readonly oneOf: readonly (readonly string[])[];
  /** At least one of these is given. */
  readonly anyOf: readonly (readonly string[])[];
  /** The types of events that it is told by. */
  readonly webhooks: readonly Webhook[];
}

/** A type of event, and when it is sent. */
export interface Webhook {
  readonly type: string;
  readonly when: string;
}

export interface Field {
  readonly name: string;
  readonly comment: string;
  readonly shape: Shape;
  readonly many: 'one' | 'list' | 'map';
  readonly nullable: boolean;
  /** By its rule, or because the path names it. */
  required: boolean;
  readonly absent: boolean;
  readonly query: boolean;
  /** The header that it is read from; empty where it is none. */
  readonly header: string;
  /** The edge writes the caller's network into it. */
  readonly network: boolean;
  /** `fields` cannot name it. */
  readonly unnamed: boolean;
  /** A value for the documentation; undefined where none is given. */
  readonly example: unknown;
  /** What stands for it where it is left out; undefined where nothing does, or something that differs. */
  readonly fallback: unknown;
  /** Bounds of a list's or map's size, and of a map's keys. */
  readonly size: { readonly min?: number; readonly max?: number; readonly unique?: boolean; readonly keyMax?: number };
}

export type Shape =
  | {
      readonly kind: 'text';
      readonly min?: number;
      readonly max?: number;
      readonly pattern?: string;
      readonly format?: string;
      readonly among?: readonly string[];
    }
  | {
      readonly kind: 'number';
      readonly money: boolean;
      /** What the proto file says. */
      readonly bounds: Bounds;
      /** What an integer's width allows; null where fractions may stand. */
      readonly range: Bounds | null;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'object' | 'array' | 'any'; readonly type?: string };

/** As JSON Schema spells them. */
export interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export interface Endpoint {
  readonly rpc: Rpc;
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the proto spells it: `/v1/products/{id}`. */
  readonly path: string;
  /** False of a GET, and of what says that it only reads. */
  readonly writes: boolean;
  readonly access: {
    readonly key: 'none' | 'publishable' | 'secret' | 'secret_test' | 'operator';
    readonly session: 'none' | 'customer' | 'when_named' | 'or_store' | 'named_or_store';
    readonly signed: boolean;
    readonly live_only: boolean;
    readonly wholesale: boolean;
    readonly merchant: boolean;
    readonly operator: boolean;
    /** What an access token needs; empty: no access token calls it. */
    readonly scope: string;
  };
  readonly limit: string;
  readonly cache: string;
  readonly status: number;
  readonly envelope: string;
  /** 0: the edge's default. */
  readonly timeoutMs: number;
  /** 0: unbounded. */
  readonly atOnce: number;
  /** What is looked at; empty: a read is no view. */
  readonly view: string;
  /** Whether its refusals are OAuth's error objects. */
  readonly oauth: boolean;
  /** What generated clients call it. */
  readonly operation: string;
  readonly body: { readonly bytes_max: number; readonly raw: readonly string[] } | null;
  readonly produces: string;
  readonly summary: string;
  readonly params: readonly Field[];
  readonly query: readonly Field[];
  readonly headers: readonly Field[];
  /** The field that the caller's network is written into; null where none is. */
  readonly network: Field | null;
  /** Fields read from the body. */
  readonly bodyFields: readonly Field[];
}

/** Collects what is wrong, so that one run tells everything. */
export type Complain = (where: { readonly toString: () => string }, sentence: string) => void;

export const PACKAGE = 'stoa.v1';

/** Reads the contract; throws one error that names every mistake in it. */
export const readContract = (allFiles: readonly DescFile[]): Contract => {
  const option = optionReader(allFiles);
  const complaints: string[] = [];
  const complain: Complain = (where, sentence) => {
    complaints.push(`${where}: ${sentence}`);
  };

  const ours = allFiles.filter((file) => file.proto.package === PACKAGE);
  const messages = readMessages(ours, option, complain);
  const endpoints: Endpoint[] = [];
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

/** The comment above the element, else the one behind it on its line. */
export const commentOf = (of: DescField | DescMessage | DescMethod | DescService): string => {
  const { leading, trailing } = getComments(of);
  return (leading ?? trailing ?? '').replace(/^ /gm, '').trim();
};

type Messages = ReadonlyMap<string, Message>;

const nested = (message: DescMessage): DescMessage[] => [message, ...message.nestedMessages.flatMap(nested)];

const readMessages = (files: readonly DescFile[], option: ReadOption, complain: Complain): Messages => {
  const messages = new Map<string, Message>();
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

const readAlternatives = (told: unknown): string[][] =>
  ((told ?? []) as { readonly field?: string[] }[]).map(({ field = [] }) => field);

/** Undefined for a stream, whose frames are the link's own matter. */
const readRpc = (service: DescService, method: DescMethod, messages: Messages): Rpc | undefined => {
  const request = messages.get(method.input.typeName);
  const response = messages.get(method.output.typeName);
  if (method.methodKind !== 'unary' || !request || !response) return undefined;
  return { service: service.name, name: method.name, comment: commentOf(method), request, response };
};

const mark = (message: Message, use: 'input' | 'output'): void => {
  if (message[use]) return;
  message[use] = true;
  for (const { shape } of message.fields) if (shape.kind === 'message') mark(shape.message, use);
};

/** Schemas are constants that name each other, so a message comes after its parts and may not hold itself. */
const inOrder = (messages: readonly Message[], complain: Complain): Message[] => {
  const done = new Set<Message>();
  const visit = (message: Message, above: readonly Message[]): void => {
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

const refuseDoubles = (endpoints: readonly Endpoint[], complain: Complain): void => {
  const seen = new Map<string, Endpoint>();
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
const refuseTakenNames = (messages: readonly Message[], complain: Complain): void => {
  const names = new Set(messages.map((message) => message.name));
  for (const { name, input, output } of messages) {
    if (input && output && names.has(`${name}Input`)) {
      complain(name, `is both read and shown, so ${name}Input is made from it; another message has that name.`);
    }
  }
};

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const byPathAndVerb = (a: Endpoint, b: Endpoint): number =>
  a.path === b.path ? VERBS.indexOf(a.verb) - VERBS.indexOf(b.verb) : a.path < b.path ? -1 : 1;
