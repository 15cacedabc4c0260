// Copies a catalogue's pictures into the store, so that they stay when the former shop closes. A file beside the import's
// lists the copies, so that a repeated run uses them again.
import { appendFileSync, readFileSync } from 'node:fs';
import type { MediaResponse } from '#proto/gen/media.ts';
import { connectOutbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import type { FoundProduct, ImportedProduct, Problem } from './catalogue.ts';
import { eachOf, ImportRefused, type ImportTarget } from './shop.ts';

/** The largest file that a store takes. */
const BYTES_MAX = 20 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUT_MS = 5_000;
const AT_ONCE = 4;
const REDIRECTS_MAX = 3;

export interface PictureCounts {
  readonly copied: number;
  /** Copies of earlier runs. */
  readonly known: number;
  /** Pictures that stay at their former address. */
  readonly left: number;
}

export interface CopiedPictures {
  readonly products: readonly FoundProduct[];
  readonly problems: readonly Problem[];
  readonly counts: PictureCounts;
}

const copyFile = (file: string): string => `${file}.pictures.ndjson`;

/** Returns the addresses of copies by those of their pictures. A line that a crash has cut off names none. */
const readCopies = (file: string, target: string): Map<string, string> => {
  const copies = new Map<string, string>();
  let lines: readonly string[] = [];
  try {
    lines = readFileSync(copyFile(file), 'utf8').split('\n');
  } catch {
    return copies;
  }
  for (const line of lines) {
    try {
      const [store, url, copy] = JSON.parse(line) as readonly string[];
      if (store === target && url && copy) copies.set(url, copy);
    } catch {
      // The last line, or the one behind it.
    }
  }
  return copies;
};

const isThere = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
};

/** The file's author chose the addresses: only public ones and a former shop on this machine are asked. */
const named = connectOutbound({ allowLocal: true });
/** A server that redirects leads to public hosts alone. */
const redirected = connectOutbound({ allowLocal: false });

/** Returns the file, or why it cannot be had. */
const download = async (url: string, hops = REDIRECTS_MAX): Promise<Uint8Array | string> => {
  const answer = await (hops === REDIRECTS_MAX ? named : redirected).send({
    url,
    environment: 'sandbox',
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    bytesMax: BYTES_MAX,
  });
  if (answer instanceof OutboundFailure) return `The address cannot be read: ${answer.message}`;
  const { status, headers, body, truncated } = answer;
  const next = status >= 300 && status < 400 && hops > 0 ? URL.parse(headers.location ?? '', url) : null;
  if (next !== null) return download(next.href, hops - 1);
  if (status !== 200) return `The address answers with status ${status}.`;
  return truncated ? 'The file is larger than 20 MiB.' : body;
};

const copyOf = async (shop: ImportTarget, url: string): Promise<{ readonly url: string } | string> => {
  const file = await download(url);
  if (typeof file === 'string') return file;
  const name = new URL(url).pathname.split('/').at(-1) || 'picture';
  const path = `/v1/media?name=${encodeURIComponent(name.slice(-100))}`;
  const answer = await shop.ask<MediaResponse>('POST', path, file, { type: 'application/octet-stream' });
  return answer instanceof ImportRefused ? answer.message : { url: answer.media.url };
};

const addressesIn = ({ media = [], variants = [], thumbnail_url }: ImportedProduct): string[] => [
  ...[media, ...variants.map((variant) => variant.media ?? [])].flat().map(({ url }) => url),
  ...(thumbnail_url ? [thumbnail_url] : []),
];

const withCopies = (product: ImportedProduct, copies: ReadonlyMap<string, string>): ImportedProduct => {
  const moved = <T extends { readonly url: string }>(media: readonly T[]): T[] =>
    media.map((item) => ({ ...item, url: copies.get(item.url) ?? item.url }));
  const { media, variants, thumbnail_url: thumbnail } = product;
  return {
    ...product,
    ...(media && { media: moved(media) }),
    ...(thumbnail && { thumbnail_url: copies.get(thumbnail) ?? thumbnail }),
    ...(variants && {
      variants: variants.map((variant) => (variant.media ? { ...variant, media: moved(variant.media) } : variant)),
    }),
  };
};

/** `target` identifies the store and environment. A picture that cannot be copied stays at its address, as a problem. */
export const copyPictures = async (
  shop: ImportTarget,
  file: string,
  target: string,
  products: readonly FoundProduct[],
  onProgress: (done: number, total: number) => void,
): Promise<CopiedPictures> => {
  const copies = readCopies(file, target);
  const places = new Map<string, FoundProduct>();
  for (const found of products)
    for (const url of addressesIn(found.product)) if (!places.has(url)) places.set(url, found);
  const problems: Problem[] = [];
  const counts = { copied: 0, known: 0, left: 0 };
  let done = 0;
  await eachOf([...places], AT_ONCE, async ([url, { row, product }]) => {
    const known = copies.get(url);
    if (known !== undefined && (await isThere(known))) counts.known++;
    else {
      copies.delete(url);
      const copy = await copyOf(shop, url);
      if (typeof copy === 'string') {
        counts.left++;
        const message = `${copy} The picture stays at ${url}.`;
        problems.push({ row, id: product.external_id, param: 'media', message, whole: false });
      } else {
        counts.copied++;
        copies.set(url, copy.url);
        appendFileSync(copyFile(file), `${JSON.stringify([target, url, copy.url])}\n`);
      }
    }
    onProgress(++done, places.size);
  });
  return {
    products: products.map((found) => ({ ...found, product: withCopies(found.product, copies) })),
    problems,
    counts,
  };
};
