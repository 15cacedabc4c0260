// Writes a proto file's messages as TypeScript types in the wire's own shape, and its services as maps of rpcs.
import type { FieldShape, FieldType, MessageShape, ProtoFile, Service } from './contract.ts';
import { type Direction, directionsOf, heading, importsOf, nameOf } from './direction.ts';

/** Types that no client is given are marked as internal, so that the client's package goes without them. */
export const typescriptOf = (file: ProtoFile, clientMessages: ReadonlySet<MessageShape>): string => {
  const imports = withRpcImports(file);
  return `${[
    heading(file.source),
    ...[...imports].map(([name, names]) => `import type { ${names.join(', ')} } from './${name}.ts';`),
    ...file.messages.flatMap((message) =>
      directionsOf(message).map((direction) =>
        [
          '',
          ...documentation(clientMessages.has(message) ? message.comment : internal(message.comment), ''),
          message.fields.length === 0
            ? `export type ${nameOf(message, direction)} = Record<never, never>;`
            : `export type ${nameOf(message, direction)} = {`,
          ...message.fields.flatMap((field) => [
            ...documentation(field.comment, '  '),
            `  ${member(field, direction)};`,
          ]),
          ...(message.fields.length === 0 ? [] : ['};']),
        ].join('\n'),
      ),
    ),
    ...file.services.filter((service) => service.rpcs.length > 0).map(rpcsOf),
  ].join('\n')}\n`;
};

const internal = (comment: string): string => (comment ? `${comment}\n@internal` : '@internal');

const rpcsOf = (service: Service): string =>
  [
    '',
    ...documentation(internal(service.comment), ''),
    `export interface ${service.name}Rpcs {`,
    ...service.rpcs.map(
      (rpc) =>
        `  ${rpc.name}: { request: ${nameOf(rpc.request, 'input')}; response: ${nameOf(rpc.response, 'output')} };`,
    ),
    '}',
  ].join('\n');

/** An rpc may take or answer a message of another file too. */
const withRpcImports = (file: ProtoFile): Map<string, string[]> => {
  const imports = new Map(importsOf(file));
  const faces = file.services
    .flatMap((service) => service.rpcs)
    .flatMap((rpc) => [[rpc.request, 'input'] as const, [rpc.response, 'output'] as const]);
  for (const [message, direction] of faces) {
    if (message.file === file.name) continue;
    const names = new Set(imports.get(message.file)).add(nameOf(message, direction));
    imports.set(message.file, [...names].sort());
  }
  return new Map([...imports].sort());
};

const member = (field: FieldShape, direction: Direction): string => {
  const optional = direction === 'input' ? !field.required : field.absent;
  return `${field.name}${optional ? '?' : ''}: ${whole(field, direction)}${field.nullable ? ' | null' : ''}`;
};

const whole = (field: FieldShape, direction: Direction): string => {
  const one = typeOf(field.shape, direction);
  if (field.many === 'map')
    return `Record<string, ${one}${field.nullableValues && direction === 'input' ? ' | null' : ''}>`;
  if (field.many === 'one') return one;
  const item = / \| /.test(one) ? `(${one})` : one;
  return `readonly ${item}[]`;
};

const typeOf = (shape: FieldType, direction: Direction): string => {
  switch (shape.kind) {
    case 'text':
      return shape.among ? shape.among.map((value) => JSON.stringify(value)).join(' | ') : 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'bytes':
      return 'Uint8Array';
    case 'message':
      return nameOf(shape.message, direction);
    case 'object':
      return shape.type ?? 'Record<string, unknown>';
    case 'array':
      return shape.type ?? 'unknown[]';
    case 'any':
      return shape.type ?? 'unknown';
  }
};

export const documentation = (comment: string, indent: string): string[] => {
  if (!comment) return [];
  const lines = comment.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
};
