// The files of a picture or video: their keys in the storage, and the document by which callers find them.
import type { StoredMedia } from '#proto/gen/media.ts';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { mediaUrl, RENDITION_WIDTHS, renditionUrl } from '#services/commerce/public_path.ts';
import type { MediaRecord } from './table/media.ts';

/** The file that the address itself serves. */
export const MAIN = 'main';

const FILES: readonly string[] = [MAIN, ...RENDITION_WIDTHS.map(String)];

export const keyOf = (tenant: Tenant, id: string, file: string): TenantKey => tenantKey(tenant, `${id}/${file}`);

export const keysOf = (tenant: Tenant, id: string): TenantKey[] => FILES.map((file) => keyOf(tenant, id, file));

export const mediaDocument = (publicUrl: string, tenant: Tenant, media: MediaRecord): StoredMedia => {
  const url = mediaUrl(publicUrl, tenant, media.id);
  return {
    id: media.id,
    url,
    type: media.type,
    width: media.width,
    height: media.height,
    content_type: media.content_type,
    bytes: media.bytes,
    name: media.name,
    renditions: media.renditions.map(({ file, width }) => ({ width, url: renditionUrl(url, file) })),
    created_at: media.created_at.toISOString(),
  };
};
