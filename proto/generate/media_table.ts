// Writes the table of fields that take the id of an uploaded file in the place of a URL, by the rpc whose requests have them.
import type { Contract, MessageShape } from './contract.ts';
import { heading } from './direction.ts';

/** The paths of such fields below a message: `thumbnail_url`, `variants[].media[].url`. */
const pathsIn = (message: MessageShape, path = ''): string[] =>
  message.fields.flatMap(({ name, shape, many }) => {
    const at = `${path}${name}${many === 'list' ? '[]' : ''}`;
    if (shape.kind === 'text') return shape.format === 'media-url' ? [at] : [];
    return shape.kind === 'message' && many !== 'map' ? pathsIn(shape.message, `${at}.`) : [];
  });

export const mediaTableOf = ({ endpoints }: Contract): string =>
  `${[
    heading('stoa/v1/*.proto'),
    '',
    '/** Fields of requests that take the id of an uploaded file, by rpc. */',
    'export const MEDIA_FIELDS: Readonly<Record<string, readonly string[]>> = {',
    ...endpoints.flatMap(({ rpc }) => {
      const paths = pathsIn(rpc.request);
      return paths.length === 0 ? [] : [`  '${rpc.service}/${rpc.name}': ${JSON.stringify(paths)},`];
    }),
    '};',
  ].join('\n')}\n`;
