// Replaces ids of uploaded files in requests by their URLs, before the handler sees the request. Domains store and show URLs
// alone.
import { isUuid } from '#proto/format.ts';
import { MEDIA_FIELDS } from '#proto/gen/media_field.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import type { AskDomain } from '#runtime/domain/runtime.ts';
import { type Answer, type Ask, NO_BYTES } from '#runtime/link/frame.ts';
import type { LinkHost } from '#runtime/link/server.ts';
import { ValueAsk } from '#runtime/link/value_ask.ts';

interface MediaReference {
  readonly path: string;
  readonly id: string;
  readonly replace: (url: string) => void;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const below = (value: unknown, steps: readonly string[], path: string): MediaReference[] => {
  const [step = '', ...rest] = steps;
  if (!isObject(value)) return [];
  const isList = step.endsWith('[]');
  const name = isList ? step.slice(0, -2) : step;
  const at = path === '' ? name : `${path}.${name}`;
  const found = value[name];
  if (isList) return Array.isArray(found) ? found.flatMap((item, index) => below(item, rest, `${at}[${index}]`)) : [];
  if (rest.length > 0) return below(found, rest, at);
  if (typeof found !== 'string' || !isUuid(found)) return [];
  return [
    {
      path: at,
      id: found.toLowerCase(),
      replace: (url) => {
        value[name] = url;
      },
    },
  ];
};

export const mediaReferencesIn = (rpc: string, input: unknown): MediaReference[] =>
  (MEDIA_FIELDS[rpc] ?? []).flatMap((path) => below(input, path.split('.'), ''));

const refused = (refusal: Refusal): Answer => ({
  body: NO_BYTES,
  dependsOn: [],
  replayed: false,
  refused: refusal,
});

/** Parses the input of an ask that came over a link, so that the host need not. */
const withValue = (ask: Ask): Ask =>
  ask.value === undefined && ask.input !== '' ? new ValueAsk({ ...ask, value: JSON.parse(ask.input) as unknown }) : ask;

const resolved = async (ask: Ask, askDomain: AskDomain): Promise<Ask | Refusal> => {
  const copy: unknown = structuredClone(ask.value);
  const references = mediaReferencesIn(ask.rpc, copy);
  const ids = [...new Set(references.map(({ id }) => id))];
  const reply = await askDomain('MediaDirectory/FindAddresses', ask.caller.tenant, { ids });
  if (reply instanceof Refusal) return reply;
  const urls = new Map(reply.addresses.map(({ id, url }) => [id, url]));
  for (const { path, id, replace } of references) {
    const url = urls.get(id);
    if (url === undefined)
      return refuse('not_found', `The store has no uploaded file ${id}. Upload it, or send a URL.`, { param: path });
    replace(url);
  }
  return new ValueAsk({ ...ask, value: copy });
};

export const acceptMediaIds = (host: LinkHost, askDomain: AskDomain): LinkHost => ({
  hello: () => host.hello(),
  dispatch(ask, cancellation) {
    if (MEDIA_FIELDS[ask.rpc] === undefined) return host.dispatch(ask, cancellation);
    const read = withValue(ask);
    if (mediaReferencesIn(read.rpc, read.value).length === 0) return host.dispatch(read, cancellation);
    return resolved(read, askDomain).then((whole) =>
      whole instanceof Refusal ? refused(whole) : host.dispatch(whole, cancellation),
    );
  },
});
